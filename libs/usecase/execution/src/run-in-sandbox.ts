import type {
  AttemptKey,
  ClaimedExecution,
  Clock,
  EgressAnswer,
  EgressBroker,
  Ending,
  ExecutionStore,
  Json,
  Sandbox,
  SandboxHooks,
  ToolDefinition,
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
    const judged = judge(verdict, effects.refused) ?? judgeAbort(controller.signal.reason as StopReason);
    return "stopped" in judged ? judged : { ending: { ...judged, usage: used }, bindMs };
  } finally {
    clearTimeout(deadline);
    letGo();
  }
}

function judgeAbort(reason: StopReason) {
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

/** What a run does to the outside world: marked in the row before the first time, counted, and refused once the lease is lost. */
class Effects {
  readonly refused = new Set<string>();
  readonly #deps: Pick<SandboxRunDeps, "executions" | "report">;
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
    this.#marked ??= this.#deps.executions.markEffect(this.#attempt);
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
}
