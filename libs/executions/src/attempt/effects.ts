import type {
  CapabilityAnswer,
  CapabilityFamilies,
  CapabilityWay,
  Effect,
  EffectAnswer,
  EgressAnswer,
  EgressBroker,
  EgressReading,
  EgressSession,
  ExecutionStore,
  RunnableTool,
  Usage,
} from "@bulkhead/core";
import type { Report } from "../end/report.ts";
import { CapabilityCalls } from "./capability-calls.ts";
import type { RunningAttempts, StopReason } from "./running-attempts.ts";
import type { Cover } from "../secrets/cover.ts";
import { signData } from "./sign-data.ts";
import { tracedEgress } from "./traced-egress.ts";
import { answerWith, refusal, type HeldAttempt, type OpenCalls, type ToolCalls } from "./tool-calls.ts";

export interface EffectDeps {
  executions: Pick<ExecutionStore, "markEffect">;
  egress: Pick<EgressBroker, "open">;
  openCalls: OpenCalls;
  capabilities: CapabilityFamilies;
  running: RunningAttempts;
  report: Report;
  /** For how long a lease holds without a renewal; milliseconds. */
  leaseMs: number;
}

/** Above every id that a guest can give to a request of its own. */
const BODY_ID_FIRST = 1_000_000_001;

/** Within this share of a lease since it was last confirmed, an effect needs no new look at it. */
const LEASE_TRUSTED_SHARE = 0.6;

type Refused = Extract<EffectAnswer, { ok: false }>;
type OutsideEffect = Exclude<Effect, { kind: "list_tools" | "hmac" | "capability" }>;

/**
 * Does what a run asks of the outside world: marks the row before the first time, counts, and refuses once the lease is
 * lost.
 */
export class Effects {
  /** The codes of refusals that were really given to the tool. */
  readonly refused = new Set<string>();
  #lastRefusal: Refused | null = null;
  readonly #deps: EffectDeps;
  readonly #attempt: HeldAttempt;
  /** Null without the permission: most runs have none, and a session has to be ended. */
  readonly #session: EgressSession | null;
  readonly #way: CapabilityWay | null;
  #bodyId = BODY_ID_FIRST;
  readonly #calls: ToolCalls;
  readonly #permissions: RunnableTool["permissions"];
  /** Made with the first question: most runs ask none. */
  #capabilities: CapabilityCalls | null = null;
  readonly #cover: Cover;
  readonly #stop: (reason: StopReason) => void;
  #marked: Promise<boolean> | undefined;

  constructor(
    deps: EffectDeps,
    attempt: HeldAttempt,
    tool: Pick<RunnableTool, "permissions" | "limits" | "allowedHosts">,
    cover: Cover,
    stop: (reason: StopReason) => void,
  ) {
    this.#deps = deps;
    this.#attempt = attempt;
    this.#session = tool.permissions.includes("network") ? openSession(deps, attempt, tool, cover) : null;
    this.#cover = cover;
    const { permissions, allowedHosts } = tool;
    this.#permissions = permissions;
    const nextBodyId = (): number => this.#bodyId++;
    this.#way = this.#session && { egress: this.#session, allowedHosts, nextBodyId };
    this.#calls = deps.openCalls(attempt, cover, tool.limits, {
      permissions,
      egress: this.#session,
      allowedHosts,
      nextBodyId,
      ask: (...asked) => this.#asking().ask(...asked),
    });
    this.#stop = stop;
  }

  /** Waits for what the run's tool called, which its end has stopped: no execution outlives the one that asked for it. */
  async settled(): Promise<void> {
    await this.#calls.settled();
    await this.#capabilities?.settled();
  }

  /** Ends what the run left open: responses that it did not read to their end. */
  close(): void {
    this.#session?.close();
  }

  /** As in `ToolCalls`. */
  get asked(): Usage {
    return this.#calls.asked;
  }

  get requests(): number {
    return this.#session?.requests ?? 0;
  }

  /** The bytes of the requests' bodies and their answers, and what was asked of capabilities; nothing of what there was none of. */
  get more(): Pick<Usage, "bytesIn" | "bytesOut" | "capabilityCalls"> {
    const capabilityCalls = this.#capabilities?.calls ?? 0;
    const asked = capabilityCalls === 0 ? {} : { capabilityCalls };
    if (this.#session === null || this.#session.requests === 0) return asked;
    const { bytesIn, bytesOut } = this.#session;
    return { bytesIn, bytesOut, ...asked };
  }

  /** Never rejects. */
  async perform(effect: Effect, signal: AbortSignal): Promise<EffectAnswer> {
    const answer = await this.#answer(effect, signal);
    if (answer.ok) return answer;
    this.refused.add(answer.code);
    this.#lastRefusal = answer;
    return answer;
  }

  /** The last refusal that was given to the tool, in full; null where there was none. */
  get lastRefusal(): Refused | null {
    return this.#lastRefusal;
  }

  async #answer(effect: Effect, signal: AbortSignal): Promise<EffectAnswer> {
    // A look at what there is to call and a signature do nothing outside: they need no mark.
    if (effect.kind === "list_tools") return this.#calls.list();
    if (effect.kind === "hmac") return signData(this.#cover.secrets.services, effect.request);
    if (effect.kind === "capability") return this.#asking().perform(effect, signal);
    return this.#whileHeld(() => this.#perform(effect, signal));
  }

  /** Runs the command of a tool that has one in place of code. Never rejects. */
  runCommand(...asked: Parameters<CapabilityCalls["runCommand"]>): Promise<CapabilityAnswer> {
    return this.#asking().runCommand(...asked);
  }

  #asking(): CapabilityCalls {
    const { capabilities, report } = this.#deps;
    const deps = {
      capabilities,
      report,
      way: this.#way,
      whileHeld: (work: () => Promise<CapabilityAnswer>) => this.#whileHeld(work),
    };
    return (this.#capabilities ??= new CapabilityCalls(deps, this.#attempt, this.#permissions, this.#cover));
  }

  /**
   * Notes an effect that the worker itself is about to have for the run; a refusal where it must not. What asks for it is no
   * guest, so it does not count as refused to the tool.
   */
  begin(): Promise<EffectAnswer> {
    return this.#whileHeld(() => Promise.resolve(answerWith("null")));
  }

  #perform(effect: OutsideEffect, signal: AbortSignal): Promise<EffectAnswer> {
    if (effect.kind === "call_tool") return this.#calls.call(effect.name, effect.argumentsJson, signal);
    // A guest that asks without the permission has broken out of its runtime; it still gets nothing.
    if (this.#session === null)
      return Promise.resolve(refusal("egress_denied", "The tool has no network permission."));
    if (effect.kind === "read_body") return this.#session.read(effect.bodyId, signal).then(toAnswer);
    return this.#session.fetch(effect.request, signal, effect.requestId).then(toAnswer);
  }

  /** Does it only while this worker holds the lease and the row says that there was an effect. */
  async #whileHeld<T extends EffectAnswer | CapabilityAnswer>(
    perform: () => Promise<T>,
  ): Promise<T | Refused> {
    // The mark asks the database for the lease too: after a pause of this process it is asked again.
    if (!this.#trusted()) this.#marked = undefined;
    this.#marked ??= this.#mark();
    try {
      // The pause may have been while it was asked.
      if ((await this.#marked) && (this.#trusted() || (await this.#mark()))) return await perform();
    } catch (error) {
      this.#deps.report("marking an effect failed", error);
      // The mark could not be written: without it a retry could repeat the effect, so there is none.
      this.#marked = undefined;
      return refusal("failed", "The request could not be recorded and was not sent; try again.");
    }
    this.#stop("superseded");
    return refusal("aborted", "The execution has ended.");
  }

  #trusted(): boolean {
    const { running, leaseMs } = this.#deps;
    return running.unconfirmedMs(this.#attempt) <= leaseMs * LEASE_TRUSTED_SHARE;
  }

  async #mark(): Promise<boolean> {
    const { executionId, attempt, claim } = this.#attempt;
    const { executions, running, leaseMs } = this.#deps;
    if (claim !== null && !(await claim.make())) return false;
    const askedAt = performance.now();
    const held = await executions.markEffect(this.#attempt, leaseMs);
    if (held) running.confirm(executionId, attempt, askedAt);
    return held;
  }
}

function openSession(
  { egress }: Pick<EffectDeps, "egress">,
  { tenantId, span }: Pick<HeldAttempt, "tenantId" | "span">,
  { limits, allowedHosts }: Pick<RunnableTool, "limits" | "allowedHosts">,
  cover: Cover,
): EgressSession {
  const { secrets } = cover;
  const session = egress.open({ tenantId, limits, allowedHosts, secrets: secrets.placed });
  return tracedEgress(session, span, {
    listed: [...(allowedHosts ?? []), ...hostsOf(secrets)],
    cover: (text) => cover.text(text),
  });
}

function toAnswer(answer: EgressAnswer | EgressReading): EffectAnswer {
  if (!answer.ok) return answer;
  const { ok, body, bodyEncoding, ...head } = answer;
  return { ok, head: JSON.stringify(head), body, bodyEncoding };
}

/** Where the secrets of its services may go. */
const hostsOf = ({ services }: Pick<Cover["secrets"], "services">): string[] =>
  services.flatMap(({ entries }) => entries.flatMap(({ secrets }) => secrets.flatMap(({ hosts }) => hosts)));
