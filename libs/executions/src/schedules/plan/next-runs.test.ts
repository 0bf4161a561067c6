import type { SchedulePlan } from "@bulkhead/core";
import { everyNth } from "@bulkhead/testing";
import { describe, expect, test } from "vitest";
import { nextRun, nextRuns } from "./next-runs.ts";

const cron = (pattern: string, timeZone = "UTC"): SchedulePlan => ({
  type: "cron",
  cron: pattern,
  timeZone,
});
const times = (plan: SchedulePlan, after: string, count: number) =>
  nextRuns(plan, new Date(after), count).map((run) => run.toISOString().replace(":00.000Z", "Z"));

describe("where clocks are set forward (Berlin, 29 March 2026, 02:00 to 03:00)", () => {
  test("a time that is skipped runs at the change, once, and as ever on the next day", () => {
    expect(times(cron("30 2 * * *", "Europe/Berlin"), "2026-03-28T12:00Z", 2)).toEqual([
      "2026-03-29T01:00Z",
      "2026-03-30T00:30Z",
    ]);
    expect(times(cron("*/15 2 * * *", "Europe/Berlin"), "2026-03-28T12:00Z", 2)).toEqual([
      "2026-03-29T01:00Z",
      "2026-03-30T00:00Z",
    ]);
  });

  test("every hour stays every hour", () => {
    expect(times(cron("0 * * * *", "Europe/Berlin"), "2026-03-28T23:30Z", 3)).toEqual([
      "2026-03-29T00:00Z",
      "2026-03-29T01:00Z",
      "2026-03-29T02:00Z",
    ]);
  });

  test("a midnight that is skipped runs on its day all the same", () => {
    expect(times(cron("0 0 * * *", "Africa/Cairo"), "2026-04-22T22:00Z", 2)).toEqual([
      "2026-04-23T22:00Z",
      "2026-04-24T21:00Z",
    ]);
  });
});

describe("where clocks are set back (Berlin, 25 October 2026, 03:00 to 02:00)", () => {
  test("a time that comes twice runs at the first, also when asked between the two", () => {
    const daily = cron("30 2 * * *", "Europe/Berlin");
    expect(times(daily, "2026-10-24T12:00Z", 2)).toEqual(["2026-10-25T00:30Z", "2026-10-26T01:30Z"]);
    expect(times(daily, "2026-10-25T00:45Z", 1)).toEqual(["2026-10-26T01:30Z"]);
    expect(times(daily, "2026-10-25T01:10Z", 1)).toEqual(["2026-10-26T01:30Z"]);
  });

  test("every half hour stays every half hour", () => {
    expect(times(cron("*/30 * * * *", "Europe/Berlin"), "2026-10-24T23:30Z", 6)).toEqual([
      "2026-10-25T00:00Z",
      "2026-10-25T00:30Z",
      "2026-10-25T01:00Z",
      "2026-10-25T01:30Z",
      "2026-10-25T02:00Z",
      "2026-10-25T02:30Z",
    ]);
  });

  test("a change of half an hour is no trouble", () => {
    expect(times(cron("0 3 * * *", "Australia/Lord_Howe"), "2026-04-03T00:00Z", 3)).toEqual([
      "2026-04-03T16:00Z",
      "2026-04-04T16:30Z",
      "2026-04-05T16:30Z",
    ]);
  });
});

const ZONES = [
  "Australia/Lord_Howe",
  "Europe/Berlin",
  "America/New_York",
  "Africa/Cairo",
  "America/Santiago",
];

test.each(everyNth(ZONES, 3))(
  "in %s each day of a year has its run, whatever clocks do, and none comes twice",
  (zone) => {
    for (const pattern of ["30 2 * * *", "0 0 * * *", "15 1 * * *"]) {
      const runs = nextRuns(cron(pattern, zone), new Date("2026-01-01T12:00Z"), 365);
      const days = runs.map((run) =>
        Temporal.Instant.fromEpochMilliseconds(run.getTime())
          .toZonedDateTimeISO(zone)
          .toPlainDate()
          .toString(),
      );
      expect(new Set(days).size).toBe(365);
      expect(runs).toEqual(runs.toSorted((a, b) => a.getTime() - b.getTime()));
    }
  },
);

test("the times are the same, asked for one by one or all together", () => {
  for (const pattern of ["*/15 2 * * *", "0 */2 * * *", "15 1,2,3 * * *", "59 59 23 29 2 *", "0 0 L * 1#5"]) {
    const plan = cron(pattern, "America/New_York");
    let at = new Date("2026-02-20T00:00Z");
    const single = Array.from({ length: 40 }, () => (at = nextRun(plan, at)));
    expect(single).toEqual(nextRuns(plan, new Date("2026-02-20T00:00Z"), 40));
  }
});

test.each([
  ["0 0 * * 0,7", "0 0 * * SUN"],
  ["0 0 * * 5-7,0,sun", "0 0 * * 0,5,6"],
  ["0,30,30,*/30 * * * *", "0,30 * * * *"],
  ["0 0 1-3,3,5-9/2 feb,FEB,3 *", "0 0 1,2,3,5,7,9 2,3 *"],
  ["0 0 15,L,L * *", "0 0 15,L * *"],
  ["0 0 l * *", "0 0 L * *"],
  ["0 0 * * fril,5L", "0 0 * * 5L"],
  ["0 0 ? * 1", "0 0 * * 1"],
  ["0 0 1 * ?", "0 0 1 * *"],
])("%j runs when %j does", (pattern, like) => {
  const after = new Date("2026-01-01T12:00Z");
  expect(nextRuns(cron(pattern), after, 20)).toEqual(nextRuns(cron(like), after, 20));
});

test("a plan that was stored when names were taken in any field goes on as it was", () => {
  expect(times(cron("0 0 * * jan"), "2026-01-01T00:00Z", 1)).toEqual(["2026-01-05T00:00Z"]);
  expect(times(cron("0 0 * mon *"), "2026-01-01T00:00Z", 1)).toEqual(["2026-01-02T00:00Z"]);
});

test("a run is behind the moment that was asked for, never at it", () => {
  expect(times(cron("0 0 * * *"), "2026-01-01T00:00:00.000Z", 1)).toEqual(["2026-01-02T00:00Z"]);
  expect(times(cron("0 0 * * *"), "2025-12-31T23:59:59.999Z", 1)).toEqual(["2026-01-01T00:00Z"]);
});

test("an interval is counted from its anchor", () => {
  const plan: SchedulePlan = { type: "every", everyMs: 1_500, anchorAt: new Date(10_000) };
  const at = (ms: number) => nextRuns(plan, new Date(ms), 2).map((run) => run.getTime());
  expect(at(10_000)).toEqual([11_500, 13_000]);
  expect(at(11_499)).toEqual([11_500, 13_000]);
  expect(at(11_500)).toEqual([13_000, 14_500]);
  expect(at(1_000)).toEqual([11_500, 13_000]);
});
