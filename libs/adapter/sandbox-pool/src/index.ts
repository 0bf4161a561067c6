export { openSandboxPool, type SandboxPool } from "./sandbox-pool.ts";
export type { SandboxPoolStats } from "./pool-stats.ts";
export { processStat, type ProcessStat } from "./process-stat.ts";
export type { ProcessLosses } from "./process-losses.ts";
export type { SandboxPoolOptions } from "./options.ts";
export { sandboxProgram, type SandboxProgram } from "./program.ts";
export { MissingLayersError } from "./layers/require-layers.ts";
