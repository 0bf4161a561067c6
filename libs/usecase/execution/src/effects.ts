import type {
  AttemptKey,
  Effect,
  EffectAnswer,
  EgressAnswer,
  EgressBroker,
  EgressReading,
  ExecutionStore,
  ToolDefinition,
} from "@bulkhead/domain";
import type { Report } from "./report.ts";
import type { RunningAttempts, StopReason } from "./running-attempts.ts";
import { refusal, type HeldAttempt, type OpenCalls, type ToolCalls } from "./tool-calls.ts";

export interface EffectDeps {
  executions: Pick<ExecutionStore, "markEffect">;
  egress: Pick<EgressBroker, "open">;
  openCalls: OpenCalls;
  running: RunningAttempts;
  report: Report;
  /** For how long a lease holds without a renewal; milliseconds. */
  leaseMs: number;
}

/** Within this share of a lease since it was last confirmed, an effect needs no new look at it. */
const LEASE_TRUSTED_SHARE = 0.6;

/** What a run does to the outside world: marked in the row before the first time, counted, and refused once the lease is lost. */
export class Effects {
  /** The codes of refusals that were really given to the tool. */
  readonly refused = new Set<string>();
  readonly #deps: EffectDeps;
  readonly #attempt: AttemptKey;
  readonly #session: ReturnType<EgressBroker["open"]>;
  readonly #hasNetwork: boolean;
  readonly #calls: ToolCalls;
  readonly #stop: (reason: StopReason) => void;
  #marked: Promise<boolean> | undefined;

  constructor(
    deps: EffectDeps,
    attempt: HeldAttempt,
    tool: Pick<ToolDefinition, "permissions" | "limits" | "allowedHosts">,
    stop: (reason: StopReason) => void,
  ) {
    this.#deps = deps;
    this.#attempt = attempt;
    const { limits, allowedHosts } = tool;
    this.#session = deps.egress.open({ tenantId: attempt.tenantId, limits, allowedHosts });
    this.#hasNetwork = tool.permissions.includes("network");
    this.#calls = deps.openCalls(attempt, limits, this.#hasNetwork ? this.#session : null);
    this.#stop = stop;
  }

  /** Waits for what the run's tool called, which its end has stopped: no execution outlives the one that asked for it. */
  settled(): Promise<void> {
    return this.#calls.settled();
  }

  /** Ends what the run left open: responses that it did not read to their end. */
  close(): void {
    this.#session.close();
  }

  get requests(): number {
    return this.#session.requests;
  }

  /** Never rejects. */
  async perform(effect: Effect, signal: AbortSignal): Promise<EffectAnswer> {
    // A look at what there is to call does nothing outside: it needs no mark.
    const answer = await (effect.kind === "list_tools"
      ? this.#calls.list()
      : this.#whileHeld(() => this.#perform(effect, signal)));
    if (!answer.ok) this.refused.add(answer.code);
    return answer;
  }

  #perform(effect: Exclude<Effect, { kind: "list_tools" }>, signal: AbortSignal): Promise<EffectAnswer> {
    if (effect.kind === "call_tool") return this.#calls.call(effect.name, effect.argumentsJson, signal);
    if (effect.kind === "read_body") return this.#session.read(effect.bodyId, signal).then(toAnswer);
    // A guest that asks without the permission has broken out of its runtime; it still gets nothing.
    if (!this.#hasNetwork)
      return Promise.resolve(refusal("egress_denied", "The tool has no network permission."));
    return this.#session.fetch(effect.request, signal, effect.requestId).then(toAnswer);
  }

  /** Does it only while this worker holds the lease and the row says that there was an effect. */
  async #whileHeld(perform: () => Promise<EffectAnswer>): Promise<EffectAnswer> {
    const { running, leaseMs } = this.#deps;
    // The mark asks the database for the lease too: after a pause of this process it is asked again.
    if (running.unconfirmedMs(this.#attempt.executionId) > leaseMs * LEASE_TRUSTED_SHARE)
      this.#marked = undefined;
    this.#marked ??= this.#mark();
    try {
      if (await this.#marked) return await perform();
    } catch (error) {
      this.#deps.report("marking an effect failed", error);
      // The mark could not be written: without it a retry could repeat the effect, so there is none.
      this.#marked = undefined;
      return refusal("failed", "The request could not be recorded and was not sent; try again.");
    }
    this.#stop("superseded");
    return refusal("aborted", "The execution has ended.");
  }

  async #mark(): Promise<boolean> {
    const { executionId, attempt } = this.#attempt;
    const held = await this.#deps.executions.markEffect(this.#attempt);
    if (held) this.#deps.running.confirm(executionId, attempt);
    return held;
  }
}

function toAnswer(answer: EgressAnswer | EgressReading): EffectAnswer {
  if (!answer.ok) return answer;
  const { ok, body, bodyEncoding, ...head } = answer;
  return { ok, head: JSON.stringify(head), body, bodyEncoding };
}
