import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";
import type { Random } from "./random.ts";
import type { Scheduler } from "./scheduler.ts";

type Restore = () => void;

function replace(target: object, name: string, value: unknown): Restore {
  const had = Object.getOwnPropertyDescriptor(target, name);
  Object.defineProperty(target, name, { value, configurable: true, writable: true });
  return () => {
    if (had) Object.defineProperty(target, name, had);
    else Reflect.deleteProperty(target, name);
  };
}

/**
 * Puts timers, the monotonic clock and chance under the scheduler, for all product code of this thread, until the answer
 * is called. Faults are made without stacks meanwhile: thousands of them are expected.
 */
export function takeOverTime(scheduler: Scheduler, random: Random): Restore {
  const setTimer = (fire: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
    scheduler.after(ms, scheduler.current, () => fire(...args));
  const clearTimer = (timer: unknown): void => {
    if (typeof timer === "object" && timer !== null && "fire" in timer) timer.fire = null;
  };
  const restores = [
    replace(globalThis, "setTimeout", setTimer),
    replace(globalThis, "clearTimeout", clearTimer),
    replace(performance, "now", () => scheduler.now),
    replace(Math, "random", () => random.next()),
    replace(Error, "stackTraceLimit", 0),
    replace(timers, "setTimeout", (ms: number) => scheduler.sleep(ms)),
  ];
  syncBuiltinESMExports();
  return () => {
    for (const restore of restores.toReversed()) restore();
    syncBuiltinESMExports();
  };
}
