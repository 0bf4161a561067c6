import { expect, test } from "vitest";
import { withField } from "../../../format/json-object.ts";
import { emptyValue, fieldsOf, kindOf, numberIn, othersIn } from "./form-fields.ts";

test("fields come in the schema's order, with whether they are required", () => {
  const schema = { properties: { b: { type: "string" }, a: true }, required: ["a"] };
  expect(fieldsOf(schema)).toEqual([
    { name: "b", schema: { type: "string" }, isRequired: false },
    { name: "a", schema: {}, isRequired: true },
  ]);
  expect(fieldsOf({})).toEqual([]);
});

test.each([
  [{ type: "string" }, "x", "text"],
  [{ type: ["string", "null"] }, null, "text"],
  [{ type: "integer" }, 3, "number"],
  [{ type: "boolean" }, undefined, "boolean"],
  [{ enum: ["a", "b"] }, "a", "choice"],
  [{ enum: ["a", "b"] }, "c", "json"],
  [{ type: "array", items: { type: "string" } }, [], "list"],
  [{ type: "object", properties: {} }, {}, "object"],
  [{ type: "object" }, {}, "json"],
  [{ type: ["string", "number"] }, 1, "json"],
  [{ anyOf: [{ type: "string" }] }, "x", "json"],
  [{ type: "number" }, "three", "json"],
] as const)("%j with %j is written as %s", (schema, value, kind) => {
  expect(kindOf(schema, value, 0)).toBe(kind);
});

test("what lies too deep is written as JSON", () => {
  expect(kindOf({ type: "array" }, [], 4)).toBe("json");
  expect(kindOf({ type: "string" }, "", 4)).toBe("text");
});

test("a field is changed in its place, added at the end, and taken out", () => {
  const object = { a: 1, b: 2, __proto__: null };
  expect(Object.entries(withField(object, "a", 3))).toEqual([
    ["a", 3],
    ["b", 2],
  ]);
  expect(Object.keys(withField(object, "c", 3))).toEqual(["a", "b", "c"]);
  expect(withField(object, "a", undefined)).toEqual({ b: 2 });
});

test("an empty field is left out where that is allowed", () => {
  expect(emptyValue({ type: "string" }, "text", false)).toBe(undefined);
  expect(emptyValue({ type: "string" }, "text", true)).toBe("");
  expect(emptyValue({ type: ["number", "null"] }, "number", true)).toBe(null);
});

test("numbers are those that JavaScript reads", () => {
  expect(["1.50", "-2e3", "", "1.", "x", "Infinity"].map(numberIn)).toEqual([
    1.5,
    -2_000,
    undefined,
    1,
    undefined,
    undefined,
  ]);
});

test("fields that the schema doesn't name are counted", () => {
  expect(othersIn({ properties: { a: {} } }, { a: 1, b: 2 })).toBe(1);
});
