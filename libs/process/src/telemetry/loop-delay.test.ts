import { until } from "@bulkhead/testing";
import { afterEach, expect, test, vi } from "vitest";
import { openLoopDelay, type LoopDelay } from "./loop-delay.ts";

const STALL_MS = 600;
/** Above what a busy machine does to the loop of a test, below the stall. */
const STALLED = 0.4;

let delay: LoopDelay | undefined;
afterEach(() => {
  delay?.close();
  vi.useRealTimers();
});

/** A measured loop that has just been stalled; its turns are the test's to make. */
async function stalled(): Promise<LoopDelay> {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const opened = (delay = openLoopDelay());
  await until(() => opened.seconds().max !== undefined, { what: "the loop was looked at" });
  const end = performance.now() + STALL_MS;
  while (performance.now() < end);
  await until(() => (opened.seconds().max ?? 0) > STALLED, { what: "the stall was seen" });
  return opened;
}

test("a stall is told to everybody who reads for half a minute, and for no more than a minute", async () => {
  const loop = await stalled();
  for (let reader = 0; reader < 3; reader += 1) expect(loop.seconds().max).toBeGreaterThan(STALLED);
  vi.advanceTimersByTime(30_000);
  for (let reader = 0; reader < 3; reader += 1) expect(loop.seconds().max).toBeGreaterThan(STALLED);
  vi.advanceTimersByTime(30_000);
  expect(loop.seconds().max ?? 0).toBeLessThan(STALLED);
});

test("the median is the loop's as a rule, whatever its worst was", async () => {
  const loop = await stalled();
  await until(() => (loop.seconds().p50 ?? 1) < STALLED, { what: "most looks were in time" });
  expect(loop.seconds().max).toBeGreaterThan(STALLED);
});
