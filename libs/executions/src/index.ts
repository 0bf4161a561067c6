export { type ReadPayloadDeps, readPayload } from "./follow/read-payload.ts";
export {
  type AnyApproval,
  allowAny,
  denyAny,
  getAnyApproval,
  listAnyApprovals,
} from "./approvals/any-approval.ts";
export { approvalPath, showApproval } from "./approvals/show-approval.ts";
export { countWaiting } from "./approvals/read-approvals.ts";
export { type AskPersonDeps, askPerson } from "./approvals/meta-tools/ask-person.ts";
export { coverWords } from "./secrets/cover-words.ts";
export { type SweepCallsDeps, sweepCalls } from "./approvals/meta-tools/sweep-calls.ts";
export { type StandingDeps, listStandingApprovals, revokeStanding } from "./approvals/standing.ts";
export { type CallableTool, toCallable } from "./attempt/callable-tools.ts";
export { LISTED_TOOLS_MAX, type ListSight, type ListableTool, toListable } from "./attempt/list-callable.ts";
export { tellRuns } from "./attempt/tell-runs.ts";
export { countEnds } from "./attempt/count-ends.ts";
export { type RunDeps, runAttempt } from "./attempt/run-attempt.ts";
export { RunningAttempts } from "./attempt/running-attempts.ts";
export { takeSessionCall } from "./attempt/session-calls.ts";
export { roundMs } from "./attempt/stopwatch.ts";
export { tellTries } from "./callbacks/tell-tries.ts";
export { countTries } from "./callbacks/count-tries.ts";
export { COURIER_BOUNDS, Courier } from "./callbacks/courier.ts";
export { type DeliveryDeps, listDeliveries, redeliver } from "./callbacks/deliveries.ts";
export { deliverAfterEnd } from "./callbacks/deliver-after-end.ts";
export { type CallbackDeps, readCallback } from "./callbacks/read-callback.ts";
export { RETRY_PLAN } from "./callbacks/retry-plan.ts";
export {
  type WebhookSecretDeps,
  rotateWebhookSecret,
  showWebhookSecret,
} from "./callbacks/webhook-secret.ts";
export { type DeleteExecutionDeps, deleteExecution } from "./end/delete-execution.ts";
export { type EndDeps, cancelExecution, expireExecution, withdrawExecution } from "./end/end-execution.ts";
export type { Report } from "./end/report.ts";
export {
  durationMs,
  linksOf,
  presentErased,
  presentExecution,
  presentSummary,
  presentUsage,
  waitingLinksOf,
} from "./follow/present-execution.ts";
export { showLoad } from "./follow/show-load.ts";
export { noSuchExecution, seeExecution } from "./follow/see-execution.ts";
export { readFilter } from "./follow/execution-filter.ts";
export { toolFilter, type ToolFilterDeps } from "./follow/tool-filter.ts";
export { waitForEnd } from "./follow/wait-for-end.ts";
export { type EraseDueDeps, eraseDue } from "./heal/erase-due.ts";
export { type KeepLogsDeps, keepDueLogs } from "./heal/keep-logs.ts";
export { type Healed, type SweepDeps, type SweepPlace, sweep } from "./heal/sweep.ts";
export { type ReclaimDeps, reclaimAttempts } from "./heal/reclaim-attempts.ts";
export { type RehearseProposalDeps, rehearseProposal } from "./rehearse/rehearse-proposal.ts";
export { type RehearseDeps, rehearseVersion } from "./rehearse/rehearse-version.ts";
export { pauseSchedule, resumeSchedule, updateSchedule } from "./schedules/change-schedule.ts";
export { createSchedule } from "./schedules/create-schedule.ts";
export { openToolSchedules } from "./schedules/made-by-tools/capability.ts";
export { fireReleased, fireSchedule } from "./schedules/fire-schedule.ts";
export { nextRun } from "./schedules/plan/next-runs.ts";
export { deleteSchedule, getSchedule, listSchedules, showSchedule } from "./schedules/read-schedules.ts";
export { type ReconcileDeps, type Reconciled, reconcileSchedules } from "./schedules/reconcile-schedules.ts";
export { principalFor, type PrincipalDeps } from "./schedules/schedule-principal.ts";
export { runSchedule } from "./schedules/run-schedule.ts";
export type { ScheduleDeps } from "./schedules/schedule-deps.ts";
export { scheduledSubmission } from "./schedules/submit-scheduled.ts";
export { coverReport } from "./secrets/cover-report.ts";
export { type NewCall, PLAIN_CALL, nextExecutionId } from "./submit/build-execution.ts";
export type { BuiltInTool } from "./submit/built-in-tool.ts";
export { BatchYield } from "./submit/batch-yield.ts";
export { firstUse } from "./submit/idempotency.ts";
export { inTurns } from "./submit/in-turns.ts";
export { countReplayable, type ReplayDeps, replayExecution, replayMatching } from "./submit/replay.ts";
export { type BatchAnswer, type BatchDeps, submitBatch } from "./submit/submit-batch.ts";
export { submitDryRun } from "./submit/submit-dry-run.ts";
export { StandingCounter } from "./submit/standing-uses.ts";
export { type SubmitDeps, type Submitted, submitExecution } from "./submit/submit.ts";
