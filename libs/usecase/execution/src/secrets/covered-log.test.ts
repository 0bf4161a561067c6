import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Said } from "../attempt-log.ts";
import { fakeScrubber } from "../fixtures/fake-scrubbers.ts";
import { CoveredLog } from "./covered-log.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const LONG_MS = 10_000;

function open(...values: string[]) {
  const told: string[] = [];
  const say = (said: Said): void => {
    if (said.type === "execution.log") told.push(`${said.level} ${said.text}`);
    if (said.type === "execution.progress") told.push(`progress ${JSON.stringify(said.value)}`);
  };
  return { told, log: new CoveredLog({ say }, fakeScrubber(...values)) };
}

test("what can't become a secret is told at once", () => {
  const { told, log } = open("hunter2");
  log.line("info", "one");
  log.line("warn", "is hunter2");
  log.progress('{"is":"hunter2"}');
  expect(told).toEqual(["info one", "warn is [REDACTED]", 'progress {"is":"[REDACTED]"}']);
});

test("a secret that is told byte by byte is covered", () => {
  const { told, log } = open("hunter2");
  for (const byte of "hunter2") log.line("info", byte);
  log.end();
  expect(told).toEqual(["info [REDACTED]", ...Array.from("unter2", () => "info ")]);
});

test("what is said behind a line that waits waits with it", () => {
  const { told, log } = open("hunter2");
  log.line("info", "ends in h");
  log.progress("1");
  expect(told).toEqual([]);
  log.line("info", ", says the next line");
  expect(told).toEqual(["info ends in h", "progress 1", "info , says the next line"]);
});

test("a line waits for a bounded time, and the start of a secret that it ends in is covered then", () => {
  const { told, log } = open("hunter2");
  log.line("info", "is hunt");
  log.progress("1");
  vi.advanceTimersByTime(LONG_MS);
  expect(told).toEqual(["info is [REDACTED]", "progress 1"]);
  log.line("info", "over");
  expect(told.at(-1)).toBe("info over");
});

test("each line that waits has a time of its own", () => {
  const { told, log } = open("hunter2");
  log.line("info", "h");
  log.line("info", "i");
  log.line("info", "h");
  expect(told).toHaveLength(2);
  vi.advanceTimersByTime(LONG_MS);
  expect(told).toHaveLength(3);
});

test("the start of a secret before a cut is covered, and the cut is told", () => {
  const { told, log } = open("hunter2");
  log.line("info", "is hunt … (cut)");
  expect(told).toEqual(["info is [REDACTED] … (cut)"]);
});

test("at the end nothing waits any more", () => {
  const { told, log } = open("hunter2");
  log.line("info", "hunt");
  log.end();
  expect(told).toEqual(["info hunt"]);
  expect(vi.getTimerCount()).toBe(0);
});
