export { loopTurns, LoopTurns } from "./loop-turns.ts";
export { TenantPermits } from "./tenant-permits.ts";
export { serveJobs } from "./serve-jobs.ts";
export type { ThreadOutcome } from "./thread-lane.ts";
export { ThreadPool } from "./thread-pool.ts";
