import * as fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "./canonical-json.ts";

/** The form that everything was hashed in that is stored. */
function slowForm(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(slowForm).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "";
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, entry]) => `${JSON.stringify(name)}:${slowForm(entry)}`).join()}}`;
}

test("any JSON has the form that it always had, whatever the order of its keys", () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false, maxDepth: 4 }), (value) => {
      expect(canonicalJson(value)).toBe(slowForm(value));
      expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
    }),
  );
});

test("what has no form in JSON is nothing in it, as it always was", () => {
  const value = { a: undefined, b: [undefined, Number.NaN], "\ud800": 1, é: "\ud83d" };
  expect(canonicalJson(value)).toBe(slowForm(value));
});

function reversed(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed);
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, entry]) => [name, reversed(entry)]),
  );
}
