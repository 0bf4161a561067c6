import { expect, test } from "vitest";
import { filtersOf, isNarrowed, readToolSearch } from "./tool-search.ts";

test("what is known of an address is read, and the rest left out", () => {
  const raw = { status: "active", by: "llm", category: "finance", q: 42, sort: "odd", view: "list", x: 1 };
  expect(readToolSearch(raw)).toEqual({
    status: "active",
    by: "llm",
    category: "finance",
    q: "42",
    view: "list",
  });
  expect(readToolSearch({ status: "odd", by: 3, q: "", view: "grid" })).toEqual({});
});

test("how it is shown and ordered narrows nothing", () => {
  expect(isNarrowed({ view: "list", sort: "name" })).toBe(false);
  expect(isNarrowed({ category: "finance" })).toBe(true);
  expect(filtersOf({ q: "x", by: "user" })).toMatchObject({
    search: "x",
    createdBy: "user",
    sort: "updatedAt",
  });
});
