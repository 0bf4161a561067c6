import { describe, expect, test } from "vitest";
import { AdaptiveSlots } from "./adaptive-slots.ts";

const BUSY = 0;
const IDLE = 1;
const looks = (slots: AdaptiveSlots, count: number, headroom: number, lasting = 0): number[] =>
  Array.from({ length: count }, () => slots.look(headroom, lasting));

describe("slots that follow the processors", () => {
  test("all are offered while the processors have headroom", () => {
    expect(looks(new AdaptiveSlots({ max: 32, min: 6 }), 3, IDLE)).toEqual([32, 32, 32]);
  });

  test("fewer and fewer while they have none, down to the least", () => {
    const offered = looks(new AdaptiveSlots({ max: 32, min: 6 }), 8, BUSY);
    expect(offered).toEqual(offered.toSorted((a, b) => b - a));
    expect([offered[0], offered.at(-1)]).toEqual([22, 6]);
  });

  test("and soon all again", () => {
    const slots = new AdaptiveSlots({ max: 32, min: 6 });
    looks(slots, 10, BUSY);
    expect(looks(slots, 6, IDLE)).toEqual([9, 13, 19, 27, 32, 32]);
  });

  test("in between there is one more each time", () => {
    const slots = new AdaptiveSlots({ max: 25, min: 6 });
    slots.look(BUSY, 0);
    expect(looks(slots, 3, 0.1)).toEqual([18, 19, 20]);
  });

  test("runs that last take nobody's slot, up to all there are", () => {
    const slots = new AdaptiveSlots({ max: 32, min: 6 });
    looks(slots, 10, BUSY);
    expect([slots.look(BUSY, 6), slots.look(BUSY, 12), slots.look(BUSY, 32)]).toEqual([12, 18, 32]);
  });

  test("a worker with few slots keeps them", () => {
    expect(looks(new AdaptiveSlots({ max: 2, min: 6 }), 3, BUSY)).toEqual([2, 2, 2]);
  });
});
