import { expect, test } from "vitest";
import { tickMs } from "./dispatch-ticker.ts";

const MIDDLE = 0.5;

test("a tick comes after 100 ms where nothing is known to be due", () => {
  expect(tickMs({ dueInMs: null, workers: 1 }, MIDDLE)).toBe(100);
  expect(tickMs({ dueInMs: 60_000, workers: 1 }, MIDDLE)).toBe(100);
});

test("what is due sooner is met sooner, but not at any pace", () => {
  expect(tickMs({ dueInMs: 30, workers: 1 }, MIDDLE)).toBe(30);
  expect(tickMs({ dueInMs: 0, workers: 1 }, MIDDLE)).toBe(10);
});

test("many workers tick no more often together than one alone", () => {
  expect(tickMs({ dueInMs: 0, workers: 50 }, MIDDLE)).toBe(500);
});

test("ticks are uneven", () => {
  expect(tickMs({ dueInMs: null, workers: 1 }, 0)).toBe(75);
  expect(tickMs({ dueInMs: null, workers: 1 }, 1)).toBe(125);
});
