/** The globals by which a tool can reach it; a form's boundary is random. */
const BY_NAMES: readonly string[] = ["crypto", "utils", "FormData"];

/**
 * Node's module, which takes 9 ms of processor time to load: more than most tools take, and a tenth of a process's start.
 */
export const hostCrypto = (): typeof import("node:crypto") => process.getBuiltinModule("node:crypto");

/** Loads it ahead of a run that may ask for it, so that no run's limits pay for that. */
export function readyCryptoFor(names: readonly string[]): void {
  if (names.some((name) => BY_NAMES.includes(name))) hostCrypto();
}
