export { LISTED_TOOLS_MAX, toCallable, toListable } from "./callable-tools.ts";
export type { CallableTool, ListableTool } from "./callable-tools.ts";
export { countEnds } from "./count-ends.ts";
export { deleteExecution, type DeleteExecutionDeps } from "./delete-execution.ts";
export {
  cancelExecution,
  denyExecution,
  expireExecution,
  withdrawExecution,
  type EndDeps,
} from "./end-execution.ts";
export { letRun, type LetRunDeps } from "./let-run.ts";
export { eraseDue, type EraseDueDeps } from "./erase-due.ts";
export {
  durationMs,
  linksOf,
  presentErased,
  presentExecution,
  presentUsage,
  waitingLinksOf,
} from "./present-execution.ts";
export type { Report } from "./report.ts";
export { runAttempt, type RunDeps } from "./run-attempt.ts";
export { rehearseProposal, type RehearseProposalDeps } from "./dry-runs/rehearse-proposal.ts";
export { rehearseVersion, type RehearseDeps } from "./dry-runs/rehearse-version.ts";
export { RunningAttempts } from "./running-attempts.ts";
export { roundMs } from "./stopwatch.ts";
export { coverReport } from "./secrets/cover-report.ts";
export { takeSessionCalls } from "./session-calls.ts";
export { nextExecutionId, PLAIN_CALL, type NewCall } from "./submission/build-execution.ts";
export type { BuiltInTool } from "./submission/built-in-tool.ts";
export { firstUse } from "./submission/idempotency.ts";
export { takeArguments } from "./submission/take-arguments.ts";
export { inTurns } from "./submission/in-turns.ts";
export { replayExecution, replayMatching, type ReplayDeps } from "./submission/replay.ts";
export { GiveWay } from "./submission/give-way.ts";
export { submitBatch, type BatchAnswer, type BatchCall, type BatchDeps } from "./submission/submit-batch.ts";
export { submitDryRun } from "./submission/submit-dry-run.ts";
export { noRoomToWait, roomToWait, type RoomDeps } from "./submission/wait-for-person.ts";
export { submitExecution, type SubmitDeps, type Submitted } from "./submission/submit.ts";
export { noSuchExecution, requireSeen, seeExecution } from "./see-execution.ts";
export { takeOver, type TakeOverDeps } from "./take-over.ts";
export { keepDueLogs, type KeepLogsDeps } from "./keep-logs.ts";
export { sweep, type Healed, type SweepDeps, type SweepPlace } from "./sweep.ts";
export { waitForEnd, type WaitDeps } from "./wait-for-end.ts";
