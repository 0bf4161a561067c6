import {
  announcingEventId,
  familiesOf,
  type Clock,
  type DryRunEffect,
  type ExecutionStore,
  type RunnableTool,
  type Sandbox,
  type SandboxHooks,
  type SandboxRun,
} from "@bulkhead/core";
import { createHash } from "node:crypto";
import { recordDryRun, type RecordDeps } from "../rehearse/record-dry-run.ts";
import { RefusedEffects } from "../rehearse/refused-effects.ts";
import { Cover } from "../secrets/cover.ts";
import { isScriptOf } from "../submit/built-in-tool.ts";
import { openSecrets, type RunSecrets, type SecretDeps } from "../secrets/open-secrets.ts";
import { AttemptLog, type AttemptLogDeps } from "./attempt-log.ts";
import { beginRun, endRun } from "./attempt-span.ts";
import { callCommand } from "./call-command.ts";
import { callServer, type ServerCallDeps } from "./call-server.ts";
import { Effects, type EffectDeps } from "./effects.ts";
import {
  addUsage,
  judge,
  judgeCrash,
  judgeOutput,
  judgeUnfinished,
  NO_USAGE,
  type CheckOutputDeps,
  type Judged,
  type Ran,
} from "./judge.ts";
import type { RunVerdict } from "./run-verdict.ts";
import type { StopReason } from "./running-attempts.ts";
import { depthOf, type HeldAttempt } from "./tool-calls.ts";

export interface RunToolDeps
  extends SecretDeps, EffectDeps, CheckOutputDeps, RecordDeps, AttemptLogDeps, ServerCallDeps {
  executions: EffectDeps["executions"] & Pick<ExecutionStore, "tryAgain">;
  sandbox: Pick<Sandbox, "run">;
  clock: Clock;
  /** Takes how often what was covered in a run. */
  tally(tenantId: string, counts: ReadonlyMap<string, number>): void;
}

/** A run with the attempt that it ended in, which is a later one where it was tried again. */
export interface ToolRun {
  ran: Ran;
  held: HeldAttempt;
  log: AttemptLog;
  /** The tool has killed its process, and nobody else can have. */
  convicted: boolean;
}

/** Runs a held attempt with the secrets that its tool declares, or not at all where one can't be had. */
export async function runTool(
  deps: RunToolDeps,
  held: HeldAttempt,
  tool: RunnableTool,
  log: AttemptLog,
): Promise<ToolRun> {
  return withSecrets(deps, held, tool, log, (secrets) => runUntilEnded(deps, held, tool, secrets, log));
}

/** Does something of a held attempt with the secrets that it is given, or ends it where one of them can't be had. */
export async function withSecrets<T>(
  deps: SecretDeps & Pick<RunToolDeps, "tally">,
  held: HeldAttempt,
  given: Pick<RunnableTool, "services" | "shell">,
  log: AttemptLog,
  work: (secrets: RunSecrets) => Promise<T>,
): Promise<T | ToolRun> {
  const opened = await openSecrets(deps, held, given);
  if ("refusal" in opened) return neverRun(opened.refusal, held, log);
  try {
    return await work(opened.secrets);
  } finally {
    const tally = (): void => deps.tally(held.tenantId, opened.secrets.scrubber.counts);
    // Of a run that is to be thrown away nothing is counted.
    if (held.claim === null) tally();
    else void held.claim.settled.then((isHeld) => isHeld && tally());
  }
}

/** The run of an attempt that was refused before anything of it ran. */
export const neverRun = (refusal: Judged, held: HeldAttempt, log: AttemptLog): ToolRun => ({
  ran: { ending: { ...refusal, usage: NO_USAGE, endedBy: null }, bindMs: 0, crashed: null },
  held,
  log,
  convicted: false,
});

/**
 * Runs the tool, and once more, alone, where its process died under it: an earlier run may have left the process broken, so
 * such a run is a suspect and no more. It is tried again as the next attempt, where no effect can happen twice.
 */
async function runUntilEnded(
  deps: RunToolDeps,
  first: HeldAttempt,
  tool: RunnableTool,
  secrets: RunSecrets,
  firstLog: AttemptLog,
): Promise<ToolRun> {
  let held = first;
  let log = firstLog;
  for (;;) {
    const ran = await runUntilHeard(deps, held, tool, secrets, log);
    if ("stopped" in ran || ran.crashed === null) return { ran, held, log, convicted: false };
    const { ending, bindMs, crashed } = ran;
    if (held.claim !== null && !(await held.claim.make())) {
      // Others have claimed it before this worker could: the run is thrown away.
      const thrownAway = { stopped: "superseded", used: ending.usage, bindMs } as const;
      return { ran: thrownAway, held, log, convicted: false };
    }
    const leaseFrom = performance.now();
    const mayTry = crashed !== "own" && (await deps.executions.tryAgain(held, deps.leaseMs));
    if (!mayTry) {
      const { judged, convicted } = judgeCrash(crashed, ending);
      return { ran: { ...ran, ending: { ...ending, ...judged } }, held, log, convicted };
    }
    held = { ...held, attempt: held.attempt + 1, suspect: true, claim: null, leaseFrom };
    log = new AttemptLog(deps, held);
    const { executionId, attempt } = held;
    const at = deps.clock().toISOString();
    log.send({ type: "execution.retrying", id: announcingEventId(attempt), executionId, attempt, at });
  }
}

/**
 * Runs the attempt, and again, alone, where nothing was heard of it before its process died: such a run counts for nothing.
 * The attempt is held all the while: what stops it in one run stops it in the next, and renewals of its lease stay known.
 */
async function runUntilHeard(
  deps: RunToolDeps,
  held: HeldAttempt,
  tool: RunnableTool,
  secrets: RunSecrets,
  log: AttemptLog,
): Promise<Ran> {
  const controller = new AbortController();
  const letGo = holdUntilEnded(deps, held, (reason) => controller.abort(reason));
  try {
    let ran: Ran | "unheard" = "unheard";
    for (let { suspect } = held; ran === "unheard"; suspect = true)
      ran = await runOnce(deps, { ...held, suspect }, tool, secrets, log, controller);
    return ran;
  } finally {
    letGo();
  }
}

/** Binds a process, or calls the tool's server, runs the attempt until it ends or must stop, and judges how it ended. */
async function runOnce(
  deps: RunToolDeps,
  attempt: HeldAttempt,
  tool: RunnableTool,
  secrets: RunSecrets,
  log: AttemptLog,
  controller: AbortController,
): Promise<Ran | "unheard"> {
  // The tool's requests to the outside are steps of its run.
  const held = { ...attempt, span: beginRun(attempt) };
  const stop = (reason: StopReason): void => controller.abort(reason);
  const cover = new Cover(deps, held, secrets, log);
  const covered = { ...deps, report: cover.report };
  const rehearsal = held.inlineTool?.rehearsal;
  const refused = rehearsal ? new RefusedEffects(rehearsal, tool) : null;
  const { mcp, shell } = tool;
  // A server is reached by its own connection, not by the run's way out.
  const effects =
    refused ?? new Effects(covered, held, mcp ? { ...tool, permissions: [] } : tool, cover, stop);
  let ran: Ran | null = null;
  try {
    const verdict: RunVerdict = mcp
      ? await callServer(deps, held, { ...tool, mcp }, { cover, log, effects }, controller.signal)
      : shell
        ? await callCommand(held, { ...tool, shell }, { cover, log, effects }, controller.signal)
        : await deps.sandbox.run(
            orderOf(held, tool, refused?.configJson ?? secrets.configJson),
            hooksOf(log, cover, effects),
            controller.signal,
          );
    const times = verdict.times && { times: verdict.times };
    await cover.finishLines();
    await effects.settled();
    const { bindMs, ...usage } = verdict.usage;
    const own = { ...usage, networkRequests: effects.requests, ...effects.more };
    const used = addUsage(own, effects.asked);
    const judged =
      judge(
        verdict,
        effects.refused,
        isScriptOf(held.toolName, held.inlineTool) ? effects.lastRefusal : null,
      ) ?? judgeUnfinished(verdict, held.attempt, controller.signal.reason);
    if ("stopped" in judged) return (ran = { ...judged, used, bindMs, ...times });
    const end = await judgeOutput(
      covered,
      tool,
      outputSchemaOf(held),
      judged,
      cover.end(verdict, judged, tool.limits),
    );
    const ending = { ...end, usage: used, endedBy: verdict.endedBy };
    cover.sayCounts();
    if (refused && !verdict.unheard)
      await recordDryRun(covered, held, ending, coverTargets(cover, refused.seen));
    ran = { ending, bindMs, ...times, crashed: verdict.outcome === "crashed" ? verdict.process : null };
    return verdict.unheard ? "unheard" : ran;
  } finally {
    effects.close();
    endRun(held.span, ran);
  }
}

/** Lets the run be stopped by this worker, at its deadline, and once its caller is gone; answers how to let go of it. */
export function holdUntilEnded(
  { running, clock }: Pick<RunToolDeps, "running" | "clock">,
  held: HeldAttempt,
  stop: (reason: StopReason) => void,
): () => void {
  const { claim, callerGone } = held;
  const letGo = running.hold(held, stop, held.slot, claim ? claim.leaseFrom : held.leaseFrom);
  if (claim?.isRefused) stop("superseded");
  const msLeft = held.deadlineAt.getTime() - clock().getTime();
  const deadline = setTimeout(stop, Math.max(0, msLeft), "deadline" satisfies StopReason);
  const onCallerGone = (): void => stop("caller_gone");
  callerGone?.addEventListener("abort", onCallerGone);
  if (callerGone?.aborted) onCallerGone();
  return () => {
    clearTimeout(deadline);
    callerGone?.removeEventListener("abort", onCallerGone);
    letGo();
  };
}

const coverTargets = (cover: Cover, seen: DryRunEffect[]): DryRunEffect[] =>
  seen.map((effect) => ({ ...effect, target: cover.text(effect.target) }));

/** Names the output schema: versions never change, a dry run is its own. */
const outputSchemaOf = ({ tenantId, toolId, toolVersion, executionId }: HeldAttempt) => ({
  tenantId,
  key: toolId === null ? `dry/${executionId}/output` : `${toolId}@${toolVersion}/output`,
});

function orderOf(
  held: HeldAttempt,
  { code, permissions, limits }: RunnableTool,
  configJson: string,
): SandboxRun {
  const { tenantId, executionId, argumentsJson } = held;
  const network = permissions.includes("network");
  const capabilities = familiesOf(permissions);
  return {
    tenantId,
    executionId,
    isolateKey: held.toolId
      ? `${held.toolId}@${held.toolVersion}/${limits.memoryMib}`
      : `dry/${createHash("sha256").update(`${limits.memoryMib} ${permissions.join()} ${code}`).digest("hex")}`,
    code,
    argumentsJson,
    contextJson: contextOf(held),
    configJson,
    network,
    ...(capabilities.length > 0 && { capabilities }),
    depth: depthOf(held),
    // A run that may have killed a process or a worker shares neither process nor blame.
    alone: held.suspect,
    limits,
  };
}

/** What the tool's code is told of its call, as JSON. */
export function contextOf({ tenantId, executionId, toolName, context }: ContextOfCall): string {
  const { callId, conversationId, userId, ...rest } = context;
  return JSON.stringify({ toolName, callId, executionId, conversationId, userId, tenantId, ...rest });
}

type ContextOfCall = Pick<HeldAttempt, "tenantId" | "executionId" | "toolName" | "context">;

const hooksOf = (log: AttemptLog, cover: Cover, effects: Pick<Effects, "perform">): SandboxHooks => ({
  onStarted: () => log.started(),
  onLog: (lines) => cover.lines(lines),
  onProgress: (json) => cover.progress(json),
  onLargeResult: (json) => cover.largeResult(json),
  onEffect: (effect, signal) => effects.perform(effect, signal),
});
