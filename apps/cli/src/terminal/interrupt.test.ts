import { expect, test } from "vitest";
import { INTERRUPTS_AND_HANGUP, withInterrupt } from "./interrupt.ts";

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "at %s work is asked to stop, and ends itself",
  async (signal) => {
    const before = process.listeners(signal);
    const stopped = Promise.withResolvers<string>();
    const work = withInterrupt(
      () => stopped.resolve("done"),
      () => stopped.promise,
      INTERRUPTS_AND_HANGUP,
    );
    process.listeners(signal).at(-1)?.(signal);
    expect(await work).toEqual({ result: "done", interrupted: true });
    expect(process.listeners(signal)).toEqual(before);
  },
);
