import {
  EXECUTION_ATTEMPTS_MAX,
  type AttemptKey,
  type Clock,
  type Ending,
  type Json,
  type Sandbox,
  type SandboxHooks,
  type ToolDefinition,
  type SandboxVerdict,
} from "@bulkhead/domain";
import { createHash } from "node:crypto";
import type { AttemptLog } from "./attempt-log.ts";
import { Effects, type EffectDeps } from "./effects.ts";
import { failed, judge } from "./judge.ts";
import type { StopReason } from "./running-attempts.ts";
import { depthOf, isAlone, type HeldAttempt } from "./tool-calls.ts";

export interface SandboxRunDeps extends EffectDeps {
  sandbox: Pick<Sandbox, "run">;
  clock: Clock;
}

/** A run that came to an end of its own, or that this worker stopped. */
export type Ran =
  | {
      ending: Omit<Ending, "timings">;
      bindMs: number;
      /** Where its process died under it or broke the wire: what that process was to others. */
      crashed: SandboxVerdict["process"] | null;
    }
  | { stopped: Exclude<StopReason, "deadline"> };

type Runnable = Pick<ToolDefinition, "code" | "permissions" | "limits" | "allowedHosts">;

/** Runs the attempt until it ends or must stop. */
export async function runInSandbox(
  deps: SandboxRunDeps,
  held: HeldAttempt,
  tool: Runnable,
  log: AttemptLog,
): Promise<Ran> {
  const controller = new AbortController();
  const stop = (reason: StopReason): void => controller.abort(reason);
  const letGo = deps.running.hold(held, stop, held.slot);
  const msLeft = held.deadlineAt.getTime() - deps.clock().getTime();
  const deadline = setTimeout(stop, Math.max(0, msLeft), "deadline" satisfies StopReason);
  const onCallerGone = (): void => stop("caller_gone");
  held.callerGone?.addEventListener("abort", onCallerGone);
  if (held.callerGone?.aborted) onCallerGone();
  const effects = new Effects(deps, held, tool, stop);
  try {
    const verdict = await deps.sandbox.run(runOf(held, tool), hooksOf(log, effects), controller.signal);
    await effects.settled();
    const usage = { ...verdict.usage, networkRequests: effects.requests };
    const { bindMs, ...used } = usage;
    const judged =
      judge(verdict, effects.refused) ?? judgeUnfinished(verdict, held, controller.signal.reason);
    if ("stopped" in judged) return judged;
    const crashed = verdict.outcome === "crashed" ? verdict.process : null;
    return { ending: { ...judged, usage: used, endedBy: verdict.endedBy }, bindMs, crashed };
  } finally {
    clearTimeout(deadline);
    held.callerGone?.removeEventListener("abort", onCallerGone);
    effects.close();
    letGo();
  }
}

/** Until there is a config centre, no tool has a value to look up. */
const NO_CONFIG = JSON.stringify({ services: {} });

/** What a run means that was stopped by this worker, or that never began. */
function judgeUnfinished(verdict: SandboxVerdict, { attempt }: AttemptKey, reason: StopReason) {
  if (verdict.outcome === "unavailable") {
    if (attempt < EXECUTION_ATTEMPTS_MAX) return { stopped: "no_sandbox" } as const;
    return failed("failed", "sandbox.crashed", verdict.message);
  }
  if (reason !== "deadline") return { stopped: reason };
  return failed("timed_out", "execution.deadline", "The deadline passed before there was a result.");
}

function runOf(held: HeldAttempt, { code, permissions, limits }: Runnable) {
  const { tenantId, executionId, argumentsJson } = held;
  const network = permissions.includes("network");
  const { callId, conversationId, userId, ...rest } = held.context;
  const context = {
    toolName: held.toolName,
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
    isolateKey: held.toolId
      ? `${held.toolId}@${held.toolVersion}`
      : `dry/${createHash("sha256").update(`${limits.memoryMib} ${network} ${code}`).digest("hex")}`,
    code,
    argumentsJson,
    contextJson: JSON.stringify(context),
    configJson: NO_CONFIG,
    network,
    depth: depthOf(held),
    alone: isAlone(held),
    limits,
  };
}

const hooksOf = (log: AttemptLog, effects: Effects): SandboxHooks => ({
  onStarted: () => log.say({ type: "execution.started" }),
  onLog: (level, text) => log.say({ type: "execution.log", level, text }),
  onProgress: (json) => log.say({ type: "execution.progress", value: JSON.parse(json) as Json }),
  onEffect: (effect, signal) => effects.perform(effect, signal),
});
