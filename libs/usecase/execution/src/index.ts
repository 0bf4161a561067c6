export { cancelExecution, expireExecution, noSuchExecution, type EndDeps } from "./end-execution.ts";
export type { Report } from "./report.ts";
export { runAttempt, type RunDeps } from "./run-attempt.ts";
export { RunningAttempts } from "./running-attempts.ts";
export { roundMs } from "./stopwatch.ts";
export { nextExecutionId, submitDryRun, submitExecution, type SubmitDeps, type Submitted } from "./submit.ts";
export { sweep, type Healed, type SweepDeps } from "./sweep.ts";
export { waitForEnd, type WaitDeps } from "./wait-for-end.ts";
