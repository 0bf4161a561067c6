import { describe, expect, it, vi } from "vitest";
import { parseCsv } from "./csv.ts";
import { dateAdd } from "./dates.ts";
import { chunk } from "./lists.ts";
import { clamp, sum } from "./numbers.ts";
import { slugify, truncate } from "./texts.ts";

vi.mock("../bridge.ts", () => ({ ask: () => "null", post: () => undefined }));

const given = (value: unknown): never => value as never;

describe("every function of utils", () => {
  it.each([
    ["a number", 12.5, "12-5"],
    ["a bigint", 12n, "12"],
    ["a boolean", true, "true"],
  ])("takes %s for the text it is written as", (_, value, expected) => {
    expect(slugify(given(value))).toBe(expected);
  });

  it.each([
    ["null", null],
    ["undefined", undefined],
    ["an object", { toString: () => "x" }],
    ["an array", ["x"]],
    ["a function", () => "x"],
    ["a symbol", Symbol("x")],
    ["a String object", Object("x")],
  ])("refuses %s as a text, naming itself and the argument", (_, value) => {
    expect(() => slugify(given(value))).toThrow(new TypeError("utils.slugify: text must be a string"));
  });

  it.each([
    ["a text", "3", "must be a number"],
    ["NaN", Number.NaN, "must be a number"],
    ["null", null, "must be a number"],
    ["a fraction", 1.5, "must be a whole number from 0 to 16777216"],
    ["a number below the range", -1, "must be a whole number from 0 to 16777216"],
    ["a number above the range", Infinity, "must be a whole number from 0 to 16777216"],
  ])("refuses %s as a count", (_, value, message) => {
    expect(() => truncate("x", given(value))).toThrow(`utils.truncate: maxLength ${message}`);
  });

  it.each([
    ["an iterable", new Set([1])],
    ["an array-like", { length: 1, 0: 1 }],
    ["a text", "abc"],
    ["nothing", undefined],
  ])("refuses %s as a list", (_, value) => {
    expect(() => sum(given(value))).toThrow(new TypeError("utils.sum: numbers must be an array"));
  });

  it("names the bound that a text or list is over, before it copies anything", () => {
    const long = "x".repeat(16_777_217);
    expect(() => parseCsv(long)).toThrow(
      new RangeError("utils.parseCsv: csv is longer than 16777216 characters"),
    );
    const sparse: number[] = [];
    sparse.length = 4_000_000_000;
    expect(() => chunk(sparse, 1)).toThrow(new RangeError("utils.chunk: arr has more than 10000000 items"));
  });

  it("names the choices where there is a closed list, and takes them in any case", () => {
    expect(dateAdd("2026-01-01", 1, "DAYS")).toBe("2026-01-02T00:00:00.000Z");
    expect(() => dateAdd("2026-01-01", 1, "fortnights")).toThrow(
      "utils.dateAdd: unit must be one of seconds, minutes, hours, days, weeks, months, years",
    );
    expect(() => clamp(1, 2, given("3"))).toThrow("utils.clamp: max must be a number");
  });
});
