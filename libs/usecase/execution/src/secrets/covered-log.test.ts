import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Said } from "../attempt-log.ts";
import { fakeScrubber } from "../fixtures/fake-scrubbers.ts";
import { CoveredLog } from "./covered-log.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const LONG_MS = 10_000;

const NOW = new Date("2026-01-02T03:04:05.000Z");

function openLog(values: string[], keepsUntold: boolean) {
  const told: string[] = [];
  const saidAt: number[] = [];
  vi.setSystemTime(NOW);
  const say = (said: Said, at?: Date): void => {
    if (said.type === "execution.log") told.push(`${said.level} ${said.text}`);
    if (said.type === "execution.progress") told.push(`progress ${JSON.stringify(said.value)}`);
    saidAt.push((at?.getTime() ?? Number.NaN) - NOW.getTime());
  };
  const secrets = { keepsUntold: () => keepsUntold };
  const clock = () => new Date();
  const log = new CoveredLog({ log: { say }, scrubber: fakeScrubber(...values), secrets, clock });
  return { told, saidAt, log };
}

/** Of a run whose code was told these values. */
const open = (...values: string[]) => openLog(values, false);

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

test("what waited is told with the time at which it was said", () => {
  const { saidAt, log } = open("hunter2");
  log.line("info", "ends in h");
  vi.advanceTimersByTime(100);
  log.progress("1");
  vi.advanceTimersByTime(LONG_MS);
  expect(saidAt).toEqual([0, 100]);
});

/** When each of these lines is told, said 10 ms one after another, in milliseconds since it was said. */
function waitsOf(lines: string[]): number[] {
  const { told, log } = openLog(["hunter2"], true);
  const waits: number[] = [];
  const look = (now: number): void => {
    while (waits.length < told.length) waits.push(now - 10 * waits.length);
  };
  for (let now = 0; now < LONG_MS; now += 1) {
    const line = now % 10 === 0 ? lines[now / 10] : undefined;
    if (line !== undefined) log.line("info", line);
    look(now);
    vi.advanceTimersByTime(1);
  }
  return waits;
}

test.each([
  ["of which the first may begin the value", ["is hunt", "over", "that", "is"]],
  ["of which none may", ["is dust", "over", "that", "is"]],
  ["of which the last may", ["is", "over", "that", "hunt"]],
  ["of which each may", ["h", "hu", "hun", "hunt"]],
])("where a value is kept from the code each line waits as long: lines %s", (_, lines) => {
  expect(waitsOf(lines)).toEqual(waitsOf(["one", "said", "so", "too"]));
});

test("where a value is kept from the code it is covered across lines that wait", () => {
  const { told, log } = openLog(["hunter2"], true);
  log.line("info", "hunt");
  vi.advanceTimersByTime(100);
  log.line("info", "er2");
  vi.advanceTimersByTime(LONG_MS);
  expect(told.join("")).not.toContain("er2");
});

test("where a value is kept from the code the end of the run lets all lines go", () => {
  const { told, saidAt, log } = openLog(["hunter2"], true);
  log.line("info", "one");
  vi.advanceTimersByTime(100);
  log.line("info", "two");
  log.end();
  expect(told).toEqual(["info one", "info two"]);
  expect(saidAt).toEqual([0, 100]);
  expect(vi.getTimerCount()).toBe(0);
});

test("thousands of lines that wait are told in their order", () => {
  const { told, log } = openLog(["hunter2"], true);
  for (let n = 0; n < 10_000; n += 1) log.line("info", String(n));
  expect(told).toEqual([]);
  vi.advanceTimersByTime(LONG_MS);
  expect(told).toEqual(Array.from({ length: 10_000 }, (_, n) => `info ${n}`));
});
