import { setFlagsFromString } from "node:v8";

/**
 * Has V8 make machine code of every function at its first call (its baseline compiler) instead of interpreting it
 * until it is hot. For processes that live long and whose first thousand calls count too; to be called first in `main`.
 */
export function compileAtOnce(): void {
  setFlagsFromString("--always-sparkplug");
}
