import { expect, test } from "vitest";
import { jainIndex, shareRatios, workerMs } from "./shares.ts";

test("only what lies in the interval counts as worker-time", () => {
  const spans = [
    { startMs: 0, endMs: 15 },
    { startMs: 12, endMs: 18 },
    { startMs: 19, endMs: 40 },
    { startMs: 0, endMs: 5 },
  ];
  expect(workerMs(spans, 10, 20)).toBe(5 + 6 + 1);
});

test("Jain's index is 1 where all got what their weights say, and 1/n where one got everything", () => {
  expect(jainIndex([10, 20, 40], [1, 2, 4])).toBeCloseTo(1);
  expect(jainIndex([70, 0, 0, 0], [1, 1, 1, 1])).toBeCloseTo(0.25);
});

test("a share is set against what the weight entitles to", () => {
  expect(shareRatios([10, 20, 40], [1, 2, 4])).toEqual([1, 1, 1].map((one) => expect.closeTo(one)));
  expect(shareRatios([30, 30, 30], [1, 1, 4])).toEqual([2, 2, 0.5].map((one) => expect.closeTo(one)));
});
