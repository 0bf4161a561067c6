import {
  EXECUTION_ATTEMPTS_MAX,
  type AttemptKey,
  type Clock,
  type DryRunEffect,
  type Ending,
  type Sandbox,
  type SandboxHooks,
  type RunnableTool,
  type SandboxVerdict,
  type Usage,
} from "@bulkhead/core";
import { createHash } from "node:crypto";
import type { AttemptLog } from "./attempt-log.ts";
import { checkOutput, type CheckOutputDeps } from "./check-output.ts";
import { RefusedEffects } from "../rehearse/refused-effects.ts";
import { recordDryRun, type RecordDeps } from "../rehearse/record-dry-run.ts";
import { Effects, type EffectDeps } from "./effects.ts";
import { failed, judge } from "./judge.ts";
import type { StopReason } from "./running-attempts.ts";
import { Cover } from "../secrets/cover.ts";
import type { RunSecrets } from "../secrets/open-secrets.ts";
import { depthOf, type HeldAttempt } from "./tool-calls.ts";

export interface SandboxRunDeps extends EffectDeps, CheckOutputDeps, RecordDeps {
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
  /** `used` is what its guest had used when it was dead. */
  | { stopped: Exclude<StopReason, "deadline">; used: Usage; bindMs: number };

/** Runs the attempt until it ends or must stop. */
export async function runInSandbox(
  deps: SandboxRunDeps,
  held: HeldAttempt,
  tool: RunnableTool,
  secrets: RunSecrets,
  log: AttemptLog,
): Promise<Ran> {
  const controller = new AbortController();
  const stop = (reason: StopReason): void => controller.abort(reason);
  const letGo = deps.running.hold(held, stop, held.slot, held.claim ? held.claim.leaseFrom : held.leaseFrom);
  if (held.claim?.isRefused) stop("superseded");
  const msLeft = held.deadlineAt.getTime() - deps.clock().getTime();
  const deadline = setTimeout(stop, Math.max(0, msLeft), "deadline" satisfies StopReason);
  const onCallerGone = (): void => stop("caller_gone");
  held.callerGone?.addEventListener("abort", onCallerGone);
  if (held.callerGone?.aborted) onCallerGone();
  const cover = new Cover(deps, held, secrets, log);
  const { report } = cover;
  const refused = held.inlineTool?.rehearsal ? new RefusedEffects(held.inlineTool.rehearsal.services) : null;
  const effects = refused ?? new Effects({ ...deps, report }, held, tool, cover, stop);
  try {
    const verdict = await deps.sandbox.run(
      runOf(held, tool, refused?.configJson ?? secrets.configJson),
      hooksOf(log, cover, effects),
      controller.signal,
    );
    await cover.finishLines();
    await effects.settled();
    const { bindMs, ...usage } = verdict.usage;
    const used = { ...usage, networkRequests: effects.requests, ...effects.bytes };
    const judged =
      judge(verdict, effects.refused) ?? judgeUnfinished(verdict, held, controller.signal.reason);
    if ("stopped" in judged) return { ...judged, used, bindMs };
    const crashed = verdict.outcome === "crashed" ? verdict.process : null;
    const covered = cover.end(verdict, judged, tool.limits);
    const checked = await checkOutput({ ...deps, report }, tool, outputSchemaOf(held), judged, covered);
    const ending = { ...checked, usage: used, endedBy: verdict.endedBy };
    cover.sayCounts();
    if (refused) await recordDryRun({ ...deps, report }, held, ending, coverTargets(cover, refused.seen));
    return { ending, bindMs, crashed };
  } finally {
    clearTimeout(deadline);
    held.callerGone?.removeEventListener("abort", onCallerGone);
    effects.close();
    letGo();
  }
}

const coverTargets = (cover: Cover, seen: DryRunEffect[]): DryRunEffect[] =>
  seen.map((effect) => ({ ...effect, target: cover.text(effect.target) }));

/** Names the output schema: versions never change, a dry run is its own. */
const outputSchemaOf = ({ tenantId, toolId, toolVersion, executionId }: HeldAttempt) => ({
  tenantId,
  key: toolId === null ? `dry/${executionId}/output` : `${toolId}@${toolVersion}/output`,
});

/** What a run means that was stopped by this worker, or that never began. */
function judgeUnfinished(verdict: SandboxVerdict, { attempt }: AttemptKey, reason: StopReason) {
  if (verdict.outcome === "unavailable") {
    if (attempt < EXECUTION_ATTEMPTS_MAX) return { stopped: "no_sandbox" } as const;
    return failed("failed", "sandbox.crashed", verdict.message);
  }
  if (reason !== "deadline") return { stopped: reason };
  return failed("timed_out", "execution.deadline", "The deadline passed before there was a result.");
}

function runOf(held: HeldAttempt, { code, permissions, limits }: RunnableTool, configJson: string) {
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
      ? `${held.toolId}@${held.toolVersion}/${limits.memoryMib}`
      : `dry/${createHash("sha256").update(`${limits.memoryMib} ${network} ${code}`).digest("hex")}`,
    code,
    argumentsJson,
    contextJson: JSON.stringify(context),
    configJson,
    network,
    depth: depthOf(held),
    // What may have taken a process or a worker along shares neither process nor blame.
    alone: held.suspect,
    limits,
  };
}

const hooksOf = (log: AttemptLog, cover: Cover, effects: Pick<Effects, "perform">): SandboxHooks => ({
  onStarted: () => log.say({ type: "execution.started" }),
  onLog: (lines) => cover.lines(lines),
  onProgress: (json) => cover.progress(json),
  onLargeResult: (json) => cover.largeResult(json),
  onEffect: (effect, signal) => effects.perform(effect, signal),
});
