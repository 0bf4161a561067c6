import { systemCode } from "./system-code.ts";

/** Sends a signal; a process that has just ended is no failure. */
export function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (cause) {
    if (systemCode(cause) !== "ESRCH") throw cause;
  }
}
