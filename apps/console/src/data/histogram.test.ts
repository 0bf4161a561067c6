import { expect, test } from "vitest";
import { barsOf, scaleEnd, spanOf, totalsOf } from "./histogram.ts";

const at = (moment: string): number => Date.parse(moment);
const NOON = at("2026-11-26T12:00:00Z");
const HOUR = 3_600_000;

test.each([
  [HOUR, "minute", 60_000],
  [6 * HOUR, "minute", 5 * 60_000],
  [24 * HOUR, "hour", HOUR],
  [7 * 24 * HOUR, "hour", 2 * HOUR],
  [30 * 24 * HOUR, "day", 24 * HOUR],
  [90 * 24 * HOUR, "day", 24 * HOUR],
])("%d ms are cut by the %s into bars of %d ms", (length, bucket, barMs) => {
  const span = spanOf(NOON - length, NOON);
  expect(span).toMatchObject({ bucket, barMs });
  expect((span.to - span.from) / barMs).toBeLessThanOrEqual(97);
});

test("bars begin at round times and hold all of the span, an empty one too", () => {
  const span = spanOf(at("2026-11-26T09:07:30Z"), at("2026-11-26T12:01:00Z"));
  expect(span).toEqual({
    bucket: "minute",
    from: at("2026-11-26T09:06:00Z"),
    to: at("2026-11-26T12:02:00Z"),
    barMs: 120_000,
  });
  expect(spanOf(NOON, NOON).to).toBe(NOON + 60_000);
});

test("buckets of one bar are added up by status; percentiles are told of single ones alone", () => {
  const none = { p50Ms: null, p99Ms: null };
  const buckets = [
    { at: "2026-11-26T10:00:00Z", counts: { succeeded: 2 }, p95Ms: 7, ...none },
    { at: "2026-11-26T10:01:00Z", counts: { succeeded: 1, failed: 4 }, p95Ms: 9, ...none },
    { at: "2026-11-26T15:00:00Z", counts: { lost: 1 }, p95Ms: 1, ...none },
  ];
  const from = at("2026-11-26T10:00:00Z");
  const two = barsOf(buckets, { bucket: "minute", from, to: from + 240_000, barMs: 120_000 });
  expect(two.map(({ total, p95Ms }) => [total, p95Ms])).toEqual([
    [7, null],
    [0, null],
  ]);
  expect(totalsOf(two)).toEqual([
    ["failed", 4],
    ["succeeded", 3],
  ]);
  const one = barsOf(buckets, { bucket: "minute", from, to: from + 120_000, barMs: 60_000 });
  expect(one.map(({ p95Ms }) => p95Ms)).toEqual([7, 9]);
});

test.each([
  [0, 1],
  [1, 1],
  [3, 5],
  [51, 100],
  [1_001, 2_000],
])("a scale of %d ends at %d", (most, end) => expect(scaleEnd(most)).toBe(end));
