import { expect, test } from "vitest";
import { readColumns, toggleColumn } from "./columns.ts";

test("columns that are kept are known ones, each once, in their order; none kept are those of the first time", () => {
  expect(readColumns("code,odd,wait,code")).toEqual(["wait", "code"]);
  expect(readColumns("")).toEqual([]);
  expect(readColumns(null)).toEqual(["duration", "source", "code"]);
});

test("a column comes in its place, and goes", () => {
  expect(toggleColumn(["duration", "code"], "wait")).toEqual(["duration", "wait", "code"]);
  expect(toggleColumn(["duration", "code"], "code")).toEqual(["duration"]);
});
