import { expect, test } from "vitest";
import { FlushGap } from "./flush-gap.ts";

/** A gap in which so many items came in each of the 8 ms before 100. */
function gapAfter(each: readonly number[], isSaturated = true): FlushGap {
  const gap = new FlushGap(() => isSaturated);
  each.forEach((items, index) => {
    const at = 96 - 8 * (each.length - index);
    for (let n = 0; n < items; n += 1) gap.arrived(at);
  });
  gap.began(98);
  return gap;
}

test("where each of the last two gaps brought four, a flush begins 8 ms after the last one", () => {
  expect(gapAfter([4, 4]).restMs(100, 1)).toBe(6);
  expect(gapAfter([4, 4]).restMs(100, 15)).toBe(6);
});

test.each([
  ["the processors have time to spare", gapAfter([9, 9], false), 1],
  ["the last gap brought fewer", gapAfter([9, 3]), 1],
  ["the gap before brought fewer", gapAfter([3, 9]), 1],
  ["one gap has brought nothing since", gapAfter([9, 9, 0]), 1],
  ["it is long ago that anything came", gapAfter([9, 9, 0, 0, 0]), 1],
  ["sixteen wait", gapAfter([9, 9]), 16],
])("a flush begins at once where %s", (_, gap, waiting) => {
  expect(gap.restMs(100, waiting)).toBe(0);
});

test("once the gap has passed a flush begins at once", () => {
  const gap = gapAfter([4, 4]);
  for (let n = 0; n < 4; n += 1) gap.arrived(100);
  expect(gap.restMs(106, 1)).toBe(0);
});
