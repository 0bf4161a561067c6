import * as fc from "fast-check";
import { expect, test } from "vitest";
import { appendTaken, copyFrom, findStart, type Taken } from "./taken-escapes.ts";

/** A list of escapes, and of each code that is read with them, where the text begins that spells it. */
function readAll(steps: readonly { gap: number; chars: number; codes: number }[]) {
  const starts: number[] = [];
  let last: Taken | null = null;
  let at = 0;
  for (const { gap, chars, codes } of steps) {
    for (let i = 0; i < gap; i++) starts.push(at++);
    last = appendTaken(last, at, at + chars, codes);
    for (let i = 0; i < codes; i++) starts.push(at);
    at += chars;
  }
  return { last: last!, at, starts };
}

const steps = fc.array(
  fc.record({ gap: fc.nat({ max: 3 }), chars: fc.integer({ min: 2, max: 9 }), codes: fc.constantFrom(1, 2) }),
  { minLength: 1, maxLength: 120 },
);

test("each code's place is found, also once the list was copied without what lies before it", () => {
  fc.assert(
    fc.property(steps, (list) => {
      const { last, at, starts } = readAll(list);
      starts.forEach((start, n) => {
        const codes = starts.length - n;
        expect(findStart(last, at, codes)).toBe(start);
        expect(findStart(copyFrom(start).copy(last), at, codes)).toBe(start);
      });
    }),
    { numRuns: 60 },
  );
});

test("lists that share their beginning share it when they are copied, and the rest is forgotten", () => {
  const { last, at } = readAll(Array.from({ length: 100 }, () => ({ gap: 0, chars: 6, codes: 1 })));
  const one = appendTaken(last, at, at + 6, 1);
  const other = appendTaken(last, at, at + 7, 1);
  const { copy, copied } = copyFrom(90 * 6);
  expect(copy(one).before).toBe(copy(other).before);
  expect(copied()).toBe(12);
});

test("a place among 10,000 escapes is found in a few dozen looks", () => {
  let looks = 0;
  let last: Taken | null = null;
  for (let n = 0; n < 10_000; n++)
    last = new Proxy(appendTaken(last, n * 6, n * 6 + 6, 1), {
      get(taken, key: keyof Taken) {
        if (key === "before") looks++;
        return taken[key];
      },
    });
  looks = 0;
  for (let codes = 1; codes <= 10_000; codes += 97) {
    expect(findStart(last!, 60_000, codes)).toBe(60_000 - codes * 6);
    expect(looks).toBeLessThan(60);
    looks = 0;
  }
});
