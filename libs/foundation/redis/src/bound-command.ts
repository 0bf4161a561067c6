import type { Command } from "ioredis";
import { COMMAND_MS_MAX } from "./client-options.ts";

const HALF_MS = COMMAND_MS_MAX / 2;

/**
 * Gives a command up that Redis has not answered within `COMMAND_MS_MAX`. Counted in two halves, and not by the library's
 * one timer: when this process was stopped, or its whole machine, timers are overdue before any answer is read. Such a
 * pause, however long, is one half at the most, and the answer has the other.
 */
export function boundCommand(command: Command): void {
  let timer = setTimeout(() => {
    timer = setTimeout(() => command.reject(new Error("Command timed out")), HALF_MS);
  }, HALF_MS);
  const end = (): void => clearTimeout(timer);
  command.promise.then(end, end);
}
