import { expect, test } from "vitest";
import { billOf, serverTiming, stepsOfRun } from "./bill.ts";

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

test("the time that a person took to allow a call is waiting, and no time of delivering its end", () => {
  const createdAt = new Date("2026-11-26T10:00:00.000Z");
  const answer = { answer: "allow_once", by: "key_1", at: "2026-11-26T10:00:30.000Z" } as const;
  const approval = { timeoutMs: 1, expiresAt: "2026-11-26T10:02:00.000Z", answer };
  const asked = stepsOfRun({ timings: run, approval, createdAt });
  const bill = billOf(0, submitted, asked, 30_007);
  expect(bill["dwell"]).toBe(30_000.5);
  expect(bill["deliver"]).toBeLessThan(7);
  for (const other of [null, { ...approval, answer: null }])
    expect(stepsOfRun({ timings: run, approval: other, createdAt })).toEqual(run);
});

test("the header lists every step in order", () => {
  expect(serverTiming({ accept: 0.5, run: 1.25 })).toBe("accept;dur=0.5, run;dur=1.25");
});
