import { expect, test } from "vitest";
import { relativeTime, timeLeft } from "./times.ts";

const NOW = new Date("2026-06-01T12:00:00Z");

test.each([
  [0, "now"],
  [-4_000, "now"],
  [-61_000, "1 minute ago"],
  [-59 * 60_000, "59 minutes ago"],
  [-25 * 3_600_000, "yesterday"],
  [3 * 3_600_000, "in 3 hours"],
  [-400 * 86_400_000, "last year"],
])("%i ms from now is told as %s", (ms, words) => {
  expect(relativeTime(new Date(NOW.getTime() + ms), NOW, "en")).toBe(words);
});

test.each([
  [-5_000, "0:00"],
  [101_500, "1:42"],
  [7_391_000, "2:03:11"],
])("%i ms that are left show as %s", (ms, words) => expect(timeLeft(ms)).toBe(words));
