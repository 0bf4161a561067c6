import { expect, test } from "vitest";
import { readRetryAfter, RETRY_AFTER_MS_MAX, RETRY_PLAN, retryDelayMs } from "./retry-plan.ts";

test("the pauses grow, and the last one comes again and again", () => {
  const delays = [1, 2, 8, 9, 50].map((tryNumber) => retryDelayMs(RETRY_PLAN, tryNumber, null, 0.5));
  expect(delays).toEqual([5_000, 30_000, 14_400_000, 14_400_000, 14_400_000]);
});

test("a pause is up to a tenth longer or shorter", () => {
  expect(retryDelayMs(RETRY_PLAN, 1, null, 0)).toBeCloseTo(4_500);
  expect(retryDelayMs(RETRY_PLAN, 1, null, 1)).toBeCloseTo(5_500);
});

test("a receiver may ask for more time within a bound, never for less", () => {
  expect(retryDelayMs(RETRY_PLAN, 1, 60_000, 0.5)).toBe(60_000);
  expect(retryDelayMs(RETRY_PLAN, 1, 0, 0.5)).toBe(5_000);
  expect(retryDelayMs(RETRY_PLAN, 1, Number.MAX_SAFE_INTEGER, 0.5)).toBe(RETRY_AFTER_MS_MAX);
});

const NOW = new Date("2026-11-22T10:00:00Z");

test.each([
  ["120", 120_000],
  [" 0 ", 0],
  ["Sun, 22 Nov 2026 10:01:00 GMT", 60_000],
  ["Sun, 22 Nov 2026 09:00:00 GMT", 0],
  ["-5", null],
  ["1e9", null],
  ["9999999999", null],
  ["soon", null],
  ["2026-11-22", null],
  ["Sun, 99 Nov 2026 10:01:00 GMT", null],
])("Retry-After %j is %j ms", (value, ms) => {
  expect(readRetryAfter([["retry-after", value]], NOW)).toBe(ms);
});

test("no Retry-After asks for nothing", () => {
  expect(readRetryAfter([["content-type", "120"]], NOW)).toBeNull();
});
