import {
  EXECUTION_ATTEMPTS_MAX,
  type AttemptKey,
  type ClaimedExecution,
  type Clock,
  type EgressAnswer,
  type EgressBroker,
  type Ending,
  type ExecutionStore,
  type Json,
  type Sandbox,
  type SandboxHooks,
  type ToolDefinition,
  type SandboxVerdict,
} from "@bulkhead/domain";
import { createHash } from "node:crypto";
import type { AttemptLog } from "./attempt-log.ts";
import { failed, judge } from "./judge.ts";
import type { Report } from "./report.ts";
import type { RunningAttempts, StopReason } from "./running-attempts.ts";

export interface SandboxRunDeps {
  executions: Pick<ExecutionStore, "markEffect">;
  sandbox: Pick<Sandbox, "run">;
  egress: Pick<EgressBroker, "open">;
  running: RunningAttempts;
  clock: Clock;
  report: Report;
  /** For how long a lease holds without a renewal; milliseconds. */
  leaseMs: number;
}

/** A run that came to an end of its own, or that this worker stopped. */
export type Ran =
  | { ending: Omit<Ending, "timings">; bindMs: number }
  | { stopped: Exclude<StopReason, "deadline"> };

type Runnable = Pick<ToolDefinition, "code" | "permissions" | "limits">;

/** Runs the claimed attempt until it ends or must stop. */
export async function runInSandbox(
  deps: SandboxRunDeps,
  claimed: ClaimedExecution,
  tool: Runnable,
  log: AttemptLog,
): Promise<Ran> {
  const controller = new AbortController();
  const stop = (reason: StopReason): void => controller.abort(reason);
  const letGo = deps.running.hold(claimed, stop);
  const msLeft = claimed.deadlineAt.getTime() - deps.clock().getTime();
  const deadline = setTimeout(stop, Math.max(0, msLeft), "deadline" satisfies StopReason);
  const effects = new Effects(deps, claimed, tool, stop);
  try {
    const verdict = await deps.sandbox.run(runOf(claimed, tool), hooksOf(log, effects), controller.signal);
    const usage = { ...verdict.usage, networkRequests: effects.requests };
    const { bindMs, ...used } = usage;
    const judged =
      judge(verdict, effects.refused) ?? judgeUnfinished(verdict, claimed, controller.signal.reason);
    return "stopped" in judged ? judged : { ending: { ...judged, usage: used }, bindMs };
  } finally {
    clearTimeout(deadline);
    letGo();
  }
}

/** What a run means that was stopped by this worker, or that never began. */
function judgeUnfinished(verdict: SandboxVerdict, { attempt }: AttemptKey, reason: StopReason) {
  if (verdict.outcome === "unavailable") {
    if (attempt < EXECUTION_ATTEMPTS_MAX) return { stopped: "no_sandbox" } as const;
    return failed("failed", "sandbox.crashed", verdict.message);
  }
  if (reason !== "deadline") return { stopped: reason };
  return failed("timed_out", "execution.deadline", "The deadline passed before there was a result.");
}

function runOf(claimed: ClaimedExecution, { code, permissions, limits }: Runnable) {
  const { tenantId, executionId, argumentsJson } = claimed;
  const network = permissions.includes("network");
  const { callId, conversationId, userId, ...rest } = claimed.context;
  const context = {
    toolName: claimed.toolName,
    callId,
    executionId,
    conversationId,
    userId,
    tenantId,
    ...rest,
  };
  return {
    tenantId,
    executionId,
    isolateKey: claimed.toolId
      ? `${claimed.toolId}@${claimed.toolVersion}`
      : `dry/${createHash("sha256").update(`${limits.memoryMib} ${network} ${code}`).digest("hex")}`,
    code,
    argumentsJson,
    contextJson: JSON.stringify(context),
    network,
    limits,
  };
}

const hooksOf = (log: AttemptLog, effects: Effects): SandboxHooks => ({
  onStarted: () => log.say({ type: "execution.started" }),
  onLog: (level, text) => log.say({ type: "execution.log", level, text }),
  onProgress: (json) => log.say({ type: "execution.progress", value: JSON.parse(json) as Json }),
  onFetch: (request, signal) => effects.fetch(request, signal),
});

/** Within this share of a lease since it was last confirmed, an effect needs no new look at it. */
const LEASE_TRUSTED_SHARE = 0.6;

/** What a run does to the outside world: marked in the row before the first time, counted, and refused once the lease is lost. */
class Effects {
  readonly refused = new Set<string>();
  readonly #deps: Pick<SandboxRunDeps, "executions" | "report" | "running" | "leaseMs">;
  readonly #attempt: AttemptKey;
  readonly #session: ReturnType<EgressBroker["open"]>;
  readonly #allowed: boolean;
  readonly #stop: (reason: StopReason) => void;
  #marked: Promise<boolean> | undefined;

  constructor(deps: SandboxRunDeps, attempt: AttemptKey, tool: Runnable, stop: (reason: StopReason) => void) {
    this.#deps = deps;
    this.#attempt = attempt;
    this.#session = deps.egress.open(tool.limits);
    this.#allowed = tool.permissions.includes("network");
    this.#stop = stop;
  }

  get requests(): number {
    return this.#session.requests;
  }

  async fetch(...[request, signal]: Parameters<SandboxHooks["onFetch"]>): Promise<EgressAnswer> {
    const answer = await this.#fetchIfHeld(request, signal);
    if (!answer.ok) this.refused.add(answer.code);
    return answer;
  }

  async #fetchIfHeld(...[request, signal]: Parameters<SandboxHooks["onFetch"]>): Promise<EgressAnswer> {
    // A guest that asks without the permission has broken out of its runtime; it still gets nothing.
    if (!this.#allowed)
      return { ok: false, code: "egress_denied", message: "The tool has no network permission." };
    // The mark asks the database for the lease too: after a pause of this process it is asked again.
    if (
      this.#deps.running.unconfirmedMs(this.#attempt.executionId) >
      this.#deps.leaseMs * LEASE_TRUSTED_SHARE
    ) {
      this.#marked = undefined;
    }
    this.#marked ??= this.#mark();
    try {
      if (await this.#marked) return await this.#session.fetch(request, signal);
    } catch (error) {
      this.#deps.report("marking an effect failed", error);
      // The mark could not be written: without it a retry could repeat the effect, so there is none.
      this.#marked = undefined;
      return {
        ok: false,
        code: "failed",
        message: "The request could not be recorded and was not sent; try again.",
      };
    }
    this.#stop("superseded");
    return { ok: false, code: "aborted", message: "The execution has ended." };
  }

  async #mark(): Promise<boolean> {
    const { executionId, attempt } = this.#attempt;
    const held = await this.#deps.executions.markEffect(this.#attempt);
    if (held) this.#deps.running.confirm(executionId, attempt);
    return held;
  }
}
