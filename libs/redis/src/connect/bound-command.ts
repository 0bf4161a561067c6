import type { Command } from "ioredis";
import { COMMAND_MS_MAX } from "./client-options.ts";

const HALF_MS = COMMAND_MS_MAX / 2;

/**
 * Fails a command that Redis has not answered within `COMMAND_MS_MAX`. The library's one timer would not do: after a pause
 * of this process or its machine, timers are overdue before any answer is read. So the time is counted in two halves, of
 * which such a pause takes one at most, and received answers are read before the second one's end is judged. Pauses of
 * `SILENCE_MS_MAX` and more cost the connection.
 */
export function boundCommand(command: Command): void {
  let isSettled = false;
  const giveUp = (): void => {
    if (!isSettled) command.reject(new Error("Command timed out"));
  };
  let timer = setTimeout(() => {
    timer = setTimeout(() => setImmediate(giveUp), HALF_MS);
  }, HALF_MS);
  const settle = (): void => {
    isSettled = true;
    clearTimeout(timer);
  };
  command.promise.then(settle, settle);
}
