import { expect, test } from "vitest";
import { BlankStock } from "./blank-stock.ts";

test.each([
  [16, 2, 2],
  [12, 2, 1],
  [7, 2, 0],
  [64, 2, 2],
  [64, 0, 0],
])("a pool of %d that wants %d blank ones keeps %d when it is full", (processesMax, target, kept) => {
  expect(new BlankStock(processesMax, target).wanted).toBe(kept);
});

test("nothing is kept where those who come are those who lost theirs just now, until others come", () => {
  const stock = new BlankStock(16, 2);
  for (const tenant of ["a", "b", "c"]) {
    stock.lost(tenant);
    stock.came(tenant);
  }
  expect(stock.wanted).toBe(0);
  stock.came("new");
  expect(stock.wanted).toBe(2);
});

test("who lost it longer ago than the stock is large would have lost it without the stock, too", () => {
  const stock = new BlankStock(16, 2);
  for (const tenant of ["a", "b", "c", "d", "e", "f"]) stock.lost(tenant);
  for (const tenant of ["a", "b", "c", "d", "a", "b"]) stock.came(tenant);
  expect(stock.wanted).toBe(2);
});
