import { expect, test } from "vitest";
import { isReserved, placeOf, readDataSearch, secondsLeft, secondsOf, whoseOf } from "./data-search.ts";

test("an address tells whose collection and which documents of it; conditions may be written as JSON", () => {
  const search = readDataSearch({ agent: "a", user: "", in: "notes", where: { n: { gte: 3 } }, open: 7 });
  expect(search).toEqual({ agent: "a", in: "notes", where: '{"n":{"gte":3}}', open: "7" });
  expect(placeOf(search, "notes")).toEqual({ workspace: { agentId: "a" }, collection: "notes" });
  expect(readDataSearch({ where: '{"a":1}' })).toEqual({ where: '{"a":1}' });
});

test("whose a collection is is told in words, and the platform's own are known", () => {
  expect(whoseOf({ agentId: null, userId: null })).toBe("the tenant");
  expect(whoseOf({ agentId: "a", userId: "u" })).toBe("agent a, user u");
  expect([isReserved("$goals"), isReserved("goals")]).toEqual([true, false]);
});

test.each([
  ["", undefined],
  [" 60 ", 60],
  ["0", null],
  ["1.5", null],
  ["soon", null],
])("%j as a time to live is %s", (typed, seconds) => {
  expect(secondsOf(typed)).toBe(seconds);
});

test("what is left of a document's time is told in whole seconds", () => {
  const now = new Date("2026-01-01T00:00:00Z");
  expect(secondsLeft(null, now)).toBe("");
  expect(secondsLeft("2026-01-01T00:01:30.400Z", now)).toBe("90");
  expect(secondsLeft("2025-01-01T00:00:00Z", now)).toBe("1");
});
