export { openSandboxPool, type SandboxPool, type SandboxPoolStats } from "./sandbox-pool.ts";
export type { SandboxPoolOptions } from "./options.ts";
export { sandboxProgram, type SandboxProgram } from "./program.ts";
export { MissingLayersError } from "./layers/require-layers.ts";
