import {
  CALL_TREE_MAX,
  type EffectAnswer,
  type JsonObject,
  type RunLimits,
  type Usage,
} from "@bulkhead/core";
import { within } from "@bulkhead/process/telemetry";
import {
  completedFor,
  findCalled,
  mustAskTool,
  readArguments,
  sightFor,
  whyInexact,
  whyNotCallable,
  whyNotValid,
  type CallableDeps,
  type CallableTool,
} from "./callable-tools.ts";
import { whyNotRunnable } from "./called-command.ts";
import { listCallable, type ListDeps } from "./list-callable.ts";
import { addUsage, NO_USAGE } from "./judge.ts";
import { runNested, type NestedRun, type NestedRunDeps } from "./nested-run.ts";
import { askCalledTool } from "./nested-asking.ts";
import type { Cover } from "../secrets/cover.ts";
import { answerWith, refusal, type HeldAttempt, type Reach, type ToolCalls } from "./tool-calls.ts";

export interface NestedCallDeps
  extends Omit<NestedRunDeps, "openCalls" | "schemas">, Omit<CallableDeps, "schemas" | "provider">, ListDeps {
  provider: CallableDeps["provider"] & ListDeps["provider"];
  schemas: NestedRunDeps["schemas"] & CallableDeps["schemas"];
}

type AllDeps = NestedRunDeps & CallableDeps & ListDeps;

/** The dependencies of a run whose tool may call others, which may call others in turn. */
export function withCalls(deps: NestedCallDeps): AllDeps {
  const all: AllDeps = {
    ...deps,
    openCalls: (caller, cover, limits, reach) => new NestedCalls(all, caller, cover, limits, reach),
  };
  return all;
}

/** The answer for a tool that is not there, and for one that is outside the policy of who asks. */
const noSuchTool = (name: string) => refusal("tool_not_found", `There is no tool "${name}".`);

/**
 * The calls of one run: counted, checked as a call through the API is, and each of a stored tool an execution of its own.
 * Those run one after another, so that a run holds one process at each depth at most; the platform's tools need none and
 * run side by side.
 */
class NestedCalls implements ToolCalls {
  readonly #deps: AllDeps;
  readonly #caller: HeldAttempt;
  readonly #cover: Cover;
  readonly #callsMax: number;
  readonly #reach: Reach;
  #calls = 0;
  #asked: Usage = NO_USAGE;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    deps: AllDeps,
    caller: HeldAttempt,
    cover: Cover,
    limits: Pick<RunLimits, "nestedCalls">,
    reach: Reach,
  ) {
    this.#deps = { ...deps, report: cover.report };
    this.#caller = caller;
    this.#cover = cover;
    this.#callsMax = limits.nestedCalls;
    this.#reach = reach;
  }

  get asked(): Usage {
    return this.#asked;
  }

  async settled(): Promise<void> {
    await this.#turn;
  }

  async list(): Promise<EffectAnswer> {
    try {
      return answerWith(await listCallable(this.#deps, this.#caller, this.#reach.permissions));
    } catch (error) {
      this.#deps.report("listing tools for a tool failed", error);
      return refusal("failed", "The tools could not be listed; try again.");
    }
  }

  async call(name: string, argumentsJson: string, signal: AbortSignal): Promise<EffectAnswer> {
    if (this.#calls >= this.#callsMax)
      return refusal("call_limit", `The run's limit of ${this.#callsMax} calls of other tools is reached.`);
    if (this.#caller.tree.calls >= CALL_TREE_MAX)
      return refusal("call_limit", `More than ${CALL_TREE_MAX} calls of tools came of one execution.`);
    this.#calls += 1;
    this.#caller.tree.calls += 1;
    const args = readArguments(argumentsJson);
    if (args === null) return refusal("invalid_request", `The arguments of "${name}" are not an object.`);
    const inexact = whyInexact(name, argumentsJson);
    if (inexact) return inexact;
    try {
      const tool = await findCalled(this.#deps, this.#caller, name);
      const sight = await sightFor(this.#deps, this.#caller);
      if (sight?.sees(tool ?? { name }) === false) return noSuchTool(name);
      if (tool === null) return await this.#callProvided(name, args, signal);
      const completed = completedFor(this.#caller, tool, args);
      if (!("arguments" in completed)) return completed;
      const json = completed.arguments === args ? argumentsJson : JSON.stringify(completed.arguments);
      const asks = mustAskTool(this.#caller, tool, completed.arguments);
      return (
        (await this.#whyNot(tool, completed.arguments, sight)) ??
        (await this.#inTurn({ tool, argumentsJson: json, signal }, asks))
      );
    } catch (error) {
      this.#deps.report("a call of a tool by a tool failed", error);
      return refusal("failed", `The tool "${name}" could not be called; try again.`);
    }
  }

  async #callProvided(name: string, asked: JsonObject, signal: AbortSignal): Promise<EffectAnswer> {
    const { provider } = this.#deps;
    const tool = provider.listTools().find((provided) => provided.name === name);
    if (tool === undefined) {
      const missing = provider.whyMissing(name);
      return missing === null ? noSuchTool(name) : refusal("tool_not_found", missing);
    }
    const completed = completedFor(this.#caller, { ...tool, applyDefaults: null }, asked);
    if (!("arguments" in completed)) return completed;
    const { arguments: args } = completed;
    const refused =
      (await whyNotValid(this.#deps, this.#caller, tool, `built-in/${name}`, args)) ??
      (await whyNotRunnable(this.#caller, tool, args, this.#reach.permissions));
    if (refused) return refused;
    const over = new AbortController();
    const attributes = { "bulkhead.tenant.id": this.#caller.tenantId, "bulkhead.tool.name": name };
    const span = this.#caller.span.begin("call tool", { attributes });
    const context = {
      tenantId: this.#caller.tenantId,
      egress: this.#reach.egress,
      allowedHosts: this.#reach.allowedHosts,
      nextBodyId: () => this.#reach.nextBodyId(),
      ask: this.#reach.ask,
      cover: (text: string) => this.#cover.keptText(text),
      signal: AbortSignal.any([signal, over.signal]),
    };
    const called = await within(span, () => provider.callTool(name, args, context), {
      answered: (answer) => (answer.ok ? null : answer.code),
      threw: () => "failed",
    });
    over.abort();
    return called.ok ? answerWith(JSON.stringify(called.value)) : called;
  }

  async #whyNot(tool: CallableTool, args: JsonObject, sight: Awaited<ReturnType<typeof sightFor>>) {
    const refused = whyNotCallable(this.#caller, tool, args, sight);
    return refused ?? (await whyNotValid(this.#deps, this.#caller, tool, `${tool.id}@${tool.version}`, args));
  }

  #inTurn(run: NestedRun, asks: boolean): Promise<EffectAnswer> {
    const turn = this.#turn.then(() => (asks ? this.#askAndRun(run) : this.#run(run)));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #askAndRun(run: NestedRun): Promise<EffectAnswer> {
    const { used, refused, killed } = await askCalledTool(this.#deps, this.#caller, this.#cover, run);
    this.#asked = addUsage(this.#asked, used);
    return refused ?? (await this.#run({ ...run, killed }));
  }

  #run(run: NestedRun): Promise<EffectAnswer> {
    return runNested(this.#deps, this.#caller, this.#cover, run);
  }
}
