export { limitLinks } from "./layers/limit-links.ts";
export type { ProcessLosses } from "./pool/process-losses.ts";
export { processStat } from "./pool/process-stat.ts";
export { sandboxProgram } from "./pool/program.ts";
export { type SandboxPool, openSandboxPool } from "./pool/sandbox-pool.ts";
export { type ServerLauncher, openServerLauncher } from "./servers/server-launcher.ts";
