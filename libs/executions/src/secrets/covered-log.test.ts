import { CUT_MARK } from "@bulkhead/sandbox/wire";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { SaidAt } from "../attempt/attempt-log.ts";
import { fakeScrubber } from "../fixtures/fake-scrubbers.ts";
import { CoveredLog } from "./covered-log.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const LONG_MS = 10_000;

const NOW = new Date("2026-01-02T03:04:05.000Z");

function openLog(
  values: string[],
  keepsUntold: () => boolean,
  msLeft = LONG_MS,
  scrubber = fakeScrubber(...values),
) {
  const told: string[] = [];
  const saidAt: number[] = [];
  vi.setSystemTime(NOW);
  const say = ({ said, at }: SaidAt): void => {
    if (said.type === "execution.log") told.push(`${said.level} ${said.text}`);
    if (said.type === "execution.progress") told.push(`progress ${JSON.stringify(said.value)}`);
    saidAt.push(at.getTime() - NOW.getTime());
  };
  const log = new CoveredLog({
    log: { sayAll: (all) => all.forEach(say) },
    scrubber,
    tenantId: "ten_a",
    report: () => undefined,
    secrets: { keepsUntold },
    clock: () => new Date(),
    deadlineAt: new Date(NOW.getTime() + msLeft),
  });
  return { told, saidAt, log };
}

/** Of a run whose code was told these values. */
const open = (...values: string[]) => openLog(values, () => false);

test("what can't become a secret is told at once", () => {
  const { told, log } = open("hunter2");
  log.lines([{ level: "info", text: "one" }]);
  log.lines([{ level: "warn", text: "is hunter2" }]);
  log.progress('{"is":"hunter2"}');
  expect(told).toEqual(["info one", "warn is [REDACTED]", 'progress {"is":"[REDACTED]"}']);
});

test("a secret that is told byte by byte is covered", async () => {
  const { told, log } = open("hunter2");
  for (const byte of "hunter2") log.lines([{ level: "info", text: byte }]);
  await log.end();
  expect(told).toEqual(["info [REDACTED]", ...Array.from("unter2", () => "info ")]);
});

test("what is said behind a line that waits waits with it", () => {
  const { told, log } = open("hunter2");
  log.lines([{ level: "info", text: "ends in h" }]);
  log.progress("1");
  expect(told).toEqual([]);
  log.lines([{ level: "info", text: ", says the next line" }]);
  expect(told).toEqual(["info ends in h", "progress 1", "info , says the next line"]);
});

test("a line waits for a bounded time, and the start of a secret that it ends in is covered then", () => {
  const { told, log } = open("hunter2");
  log.lines([{ level: "info", text: "is hunt" }]);
  log.progress("1");
  vi.advanceTimersByTime(LONG_MS);
  expect(told).toEqual(["info is [REDACTED]", "progress 1"]);
  log.lines([{ level: "info", text: "over" }]);
  expect(told.at(-1)).toBe("info over");
});

test("each line that waits has a time of its own", () => {
  const { told, log } = open("hunter2");
  log.lines([{ level: "info", text: "h" }]);
  log.lines([{ level: "info", text: "i" }]);
  log.lines([{ level: "info", text: "h" }]);
  expect(told).toHaveLength(2);
  vi.advanceTimersByTime(LONG_MS);
  expect(told).toHaveLength(3);
});

test("the start of a secret before a cut is covered, and the cut is told", () => {
  const { told, log } = open("hunter2");
  log.lines([{ level: "info", text: "is hunt … (cut)" }]);
  expect(told).toEqual(["info is [REDACTED] … (cut)"]);
});

test("at the end nothing waits any more", async () => {
  const { told, log } = open("hunter2");
  log.lines([{ level: "info", text: "hunt" }]);
  await log.end();
  expect(told).toEqual(["info hunt"]);
  expect(vi.getTimerCount()).toBe(0);
});

test("what waited is told with the time at which it was said", () => {
  const { saidAt, log } = open("hunter2");
  log.lines([{ level: "info", text: "ends in h" }]);
  vi.advanceTimersByTime(100);
  log.progress("1");
  vi.advanceTimersByTime(LONG_MS);
  expect(saidAt).toEqual([0, 100]);
});

/** When each of these lines is told that are said 100 ms one after another; milliseconds since the first was said. */
function toldAfter(lines: string[]): number[] {
  const { told, log } = openLog(["hunter2"], () => true);
  const after: number[] = [];
  for (let now = 0; now < 2_000; now += 1) {
    const line = now % 100 === 0 ? lines[now / 100] : undefined;
    if (line !== undefined) log.lines([{ level: "info", text: line }]);
    while (after.length < told.length) after.push(now);
    vi.advanceTimersByTime(1);
  }
  return after;
}

test.each([
  ["of which the first may begin the value", ["is hunt", "over", "that", "is", "all"]],
  ["of which none may", ["is dust", "over", "that", "is", "all"]],
  ["of which the last may", ["is", "over", "that", "is", "hunt"]],
  ["of which each may", ["h", "hu", "hun", "hunt", "h"]],
])("where a value is kept from the code all lines wait for one moment: lines %s", (_, lines) => {
  const [first, ...others] = toldAfter(lines);
  expect([first, ...others]).toEqual([first, first, first, others[2], others[2]]);
  expect(toldAfter(lines)).toEqual(toldAfter(["one", "said", "so", "and", "so"]));
});

test("where a value is kept from the code lines are cut off from what follows at the same moments", () => {
  const settledAt = (holds: boolean): number[] => {
    const settled: number[] = [];
    const texts: string[] = [];
    const all = () => texts.splice(0).map((text, index) => ({ index, text }));
    const lines = {
      push: (...more: string[]) => (texts.push(...more), holds ? [] : all()),
      settle: () => (settled.push(performance.now() - from), all()),
      end: all,
    };
    const log = new CoveredLog({
      log: { sayAll: () => undefined },
      scrubber: { ...fakeScrubber(), lines: () => lines },
      tenantId: "ten_a",
      report: () => undefined,
      secrets: { keepsUntold: () => true },
      clock: () => new Date(),
      deadlineAt: new Date(Date.now() + LONG_MS),
    });
    const from = performance.now();
    for (const pauseMs of [125, 187, 300, 0]) {
      log.lines([{ level: "info", text: "a" }]);
      vi.advanceTimersByTime(pauseMs);
    }
    vi.advanceTimersByTime(LONG_MS);
    return settled;
  };
  expect(settledAt(true)).toEqual(settledAt(false));
});

test("a line that waits already waits on where the run learns of a value that its code is not told", () => {
  let keepsUntold = false;
  const { told, log } = openLog(["hunter2"], () => keepsUntold);
  log.lines([{ level: "info", text: "ends in h" }]);
  keepsUntold = true;
  vi.advanceTimersByTime(100);
  log.lines([{ level: "info", text: "ello" }]);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(LONG_MS);
  expect(told).toEqual(["info ends in h", "info ello"]);
});

test("shortly before the run's deadline all is told, and nothing waits any more", () => {
  const { told, log } = openLog(["hunter2"], () => true, 200);
  log.lines([{ level: "info", text: "one" }]);
  vi.advanceTimersByTime(160);
  expect(told).toEqual(["info one"]);
  log.lines([{ level: "info", text: "two" }]);
  vi.advanceTimersByTime(1);
  expect(told).toEqual(["info one", "info two"]);
});

test("where a value is kept from the code it is covered across lines that wait", () => {
  const { told, log } = openLog(["hunter2"], () => true);
  log.lines([{ level: "info", text: "hunt" }]);
  vi.advanceTimersByTime(100);
  log.lines([{ level: "info", text: "er2" }]);
  vi.advanceTimersByTime(LONG_MS);
  expect(told.join("")).not.toContain("er2");
});

test("where a value is kept from the code the end of the run lets all lines go", async () => {
  const { told, saidAt, log } = openLog(["hunter2"], () => true);
  log.lines([{ level: "info", text: "one" }]);
  vi.advanceTimersByTime(100);
  log.lines([{ level: "info", text: "two" }]);
  await log.end();
  expect(told).toEqual(["info one", "info two"]);
  expect(saidAt).toEqual([0, 100]);
  expect(vi.getTimerCount()).toBe(0);
});

test("lines of one moment are told in their order, and one that was cut off ends what a secret can be of", () => {
  const { told, saidAt, log } = open("hunter2");
  log.lines([
    { level: "info", text: "one" },
    { level: "debug", text: `hun${CUT_MARK}` },
    { level: "warn", text: "ter2" },
    { level: "error", text: "is hunter2" },
  ]);
  expect(told).toEqual(["info one", `debug [REDACTED]${CUT_MARK}`, "warn ter2", "error is [REDACTED]"]);
  expect(saidAt).toEqual([0, 0, 0, 0]);
});

const LARGE = JSON.stringify({ is: "hunter2", long: "x".repeat(40_000) });

test("a large value is covered elsewhere, and what is said behind it waits for it, however long", async () => {
  const { told, saidAt, log } = open("hunter2");
  log.lines([{ level: "info", text: "before" }]);
  log.progress(LARGE);
  log.lines([{ level: "info", text: "behind" }]);
  vi.advanceTimersByTime(LONG_MS);
  expect(told).toEqual(["info before"]);
  expect(vi.getTimerCount()).toBe(0);
  await log.end();
  expect(told).toEqual(["info before", `progress ${LARGE.replace("hunter2", "[REDACTED]")}`, "info behind"]);
  expect(saidAt).toEqual([0, 0, 0]);
});

test.each([
  ["it is no JSON", () => Promise.resolve(null)],
  ["it could not be searched for secrets in time", () => Promise.reject(new Error("no thread"))],
])("a large value is left out by name where %s", async (why, document) => {
  const { told, log } = openLog([], () => false, LONG_MS, { ...fakeScrubber(), document });
  log.progress(LARGE);
  log.lines([{ level: "info", text: "behind" }]);
  await log.end();
  expect(told).toEqual([
    `warn An emitted value of ${LARGE.length} characters was left out: ${why}.`,
    "info behind",
  ]);
});

test("thousands of lines that wait are told in their order", () => {
  const { told, log } = openLog(["hunter2"], () => true);
  for (let n = 0; n < 10_000; n += 1) log.lines([{ level: "info", text: String(n) }]);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(LONG_MS);
  expect(told).toEqual(Array.from({ length: 10_000 }, (_, n) => `info ${n}`));
});
