import { expect, test } from "vitest";
import { billOf, serverTiming } from "./bill.ts";

const submitted = { validate: 0.1, persist: 1, admit: 0.5 };
const run = { dwell: 2, claim: 1, bind: 0, run: 1.5 };

test("the steps add up to the total and nothing is counted twice", () => {
  const { total = 0, ...steps } = billOf(0.4, submitted, run, 7);
  expect(total).toBe(7);
  // The worker's dwell of 2 ms holds the 1.5 ms of persisting and admitting.
  expect(steps["dwell"]).toBe(0.5);
  expect(Object.values(steps).reduce((sum, ms) => sum + ms, 0)).toBeCloseTo(7);
});

test("no step is negative when clocks disagree", () => {
  const bill = billOf(0, submitted, { ...run, dwell: 0 }, 1);
  for (const ms of Object.values(bill)) expect(ms).toBeGreaterThanOrEqual(0);
});

test("the header lists every step in order", () => {
  expect(serverTiming({ accept: 0.5, run: 1.25 })).toBe("accept;dur=0.5, run;dur=1.25");
});
