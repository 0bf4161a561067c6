import { expect, test } from "vitest";
import { LossBudget } from "./loss-budget.ts";

test("a tenant gets its burst, then its pace, and another tenant's budget is its own", () => {
  const budget = new LossBudget({ burst: 3, perSecond: 2 });
  for (let i = 0; i < 3; i++) {
    expect(budget.allows("a", 0)).toBe(true);
    budget.spend("a", 0);
  }
  expect(budget.allows("a", 0)).toBe(false);
  expect(budget.allows("a", 499)).toBe(false);
  expect(budget.allows("a", 500)).toBe(true);
  expect(budget.allows("b", 0)).toBe(true);
});

test("who lost many at once waits for a burst of them at most", () => {
  const budget = new LossBudget({ burst: 2, perSecond: 2 });
  for (let i = 0; i < 20; i++) budget.spend("a", 0);
  expect(budget.allows("a", 1_499)).toBe(false);
  expect(budget.allows("a", 1_500)).toBe(true);
});

test("what stays whole costs nothing", () => {
  const budget = new LossBudget({ burst: 1, perSecond: 0 });
  for (let i = 0; i < 20; i++) {
    expect(budget.allows("a", 0)).toBe(true);
    budget.spend("a", 0);
    expect(budget.allows("a", 0)).toBe(false);
    budget.giveBack("a", 0);
  }
  budget.giveBack("a", 0);
  budget.spend("a", 0);
  expect(budget.allows("a", 0)).toBe(false);
});

test("what was not used does not add up beyond the burst", () => {
  const budget = new LossBudget({ burst: 2, perSecond: 10 });
  budget.spend("a", 0);
  for (let i = 0; i < 2; i++) budget.spend("a", 60_000);
  expect(budget.allows("a", 60_000)).toBe(false);
});
