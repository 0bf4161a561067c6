import { expect, test } from "vitest";
import { pageLimit, takeItems, wholeNumber } from "./lists.ts";

async function* count(to: number, seen: number[] = []): AsyncGenerator<number> {
  for (let n = 1; n <= to; n += 1) {
    seen.push(n);
    yield n;
  }
}

test("as many entries are taken as were asked for, and no page beyond the next one is read", async () => {
  const seen: number[] = [];
  expect(await takeItems(count(9, seen), { limit: 3 })).toEqual({ items: [1, 2, 3], more: true });
  expect(seen).toEqual([1, 2, 3, 4]);
  expect(await takeItems(count(3), { limit: 3 })).toEqual({ items: [1, 2, 3], more: false });
  expect(await takeItems(count(3), { limit: 1, all: true })).toEqual({ items: [1, 2, 3], more: false });
});

test("pages are as large as what is asked for, within what the server gives", () => {
  expect([{ limit: 1 }, { limit: 1_000 }, { limit: 1, all: true as const }].map(pageLimit)).toEqual([
    2, 200, 200,
  ]);
});

test("a count is a whole number from its least on", () => {
  expect(wholeNumber(1)("12")).toBe(12);
  for (const text of ["0", "-1", "1.5", "1e3", "", "9".repeat(16)])
    expect(() => wholeNumber(1)(text)).toThrow("It must be a whole number, 1 or more.");
});
