import { expect, test } from "vitest";
import { exampleArguments } from "./example-arguments.ts";
import type { JsonObject } from "../json/json.ts";

const firstOf = (schema: JsonObject) => exampleArguments(schema)[0];

test.each<[string, JsonObject, JsonObject]>([
  ["no properties", { type: "object" }, {}],
  [
    "types",
    {
      properties: {
        a: { type: "string" },
        b: { type: "integer" },
        c: { type: "boolean" },
        d: { type: "null" },
      },
    },
    { a: "example", b: 1, c: true, d: null },
  ],
  [
    "what the schema names itself",
    {
      properties: {
        a: { default: 7 },
        b: { enum: ["x", "y"] },
        c: { const: [1] },
        d: { examples: ["e"], default: 1 },
      },
    },
    { a: 7, b: "x", c: [1], d: "e" },
  ],
  [
    "formats",
    {
      properties: {
        a: { type: "string", format: "date" },
        b: { type: "string", format: "uri" },
        c: { type: "string", format: "constructor" },
      },
    },
    { a: "2026-01-15", b: "https://example.com/", c: "example" },
  ],
  [
    "bounds",
    {
      properties: {
        a: { type: "number", minimum: 10 },
        b: { type: "integer", maximum: -5 },
        c: { type: "integer", exclusiveMinimum: 0, multipleOf: 5 },
        d: { type: "string", minLength: 10 },
        e: { type: "string", maxLength: 2 },
        f: { type: "integer", minimum: 1, maximum: 4, multipleOf: 3 },
        g: { type: "number", exclusiveMinimum: 4.34, maximum: 4.35, multipleOf: 0.01 },
      },
    },
    { a: 10, b: -5, c: 5, d: "exampleexa", e: "ex", f: 3, g: 4.35 },
  ],
  [
    "lists and objects",
    {
      properties: {
        a: { type: "array", items: { type: "number" }, minItems: 2 },
        b: { type: "object", properties: { c: { type: "string" } } },
      },
    },
    { a: [1, 1], b: { c: "example" } },
  ],
  [
    "parts and references",
    {
      $defs: { name: { type: "string", minLength: 8 }, n: { $id: "N", minimum: 3, exclusiveMinimum: true } },
      properties: {
        a: { $ref: "#/$defs/name" },
        b: { anyOf: [{ type: "integer" }, { type: "string" }] },
        c: {
          allOf: [
            { properties: { x: { type: "string" } }, required: ["x"] },
            { properties: { y: { type: "number" } } },
          ],
        },
        d: { $ref: "https://elsewhere.example/schema" },
        e: { $ref: "N", type: "integer" },
      },
    },
    { a: "examplee", b: 1, c: { x: "example", y: 1 }, d: null, e: 4 },
  ],
  [
    "references in unions and in what holds together",
    {
      $defs: {
        p: { type: "object", properties: { n: { type: "integer", minimum: 3 } }, required: ["n"] },
        q: { required: ["m"], properties: { m: { type: "string" } } },
      },
      properties: {
        a: { anyOf: [{ $ref: "#/$defs/p" }, { type: "null" }] },
        b: { oneOf: [{ type: "null" }, { $ref: "#/$defs/p" }] },
        c: { allOf: [{ $ref: "#/$defs/p" }, { $ref: "#/$defs/q" }] },
        d: {
          allOf: [
            { type: "number", minimum: 2 },
            { type: "integer", minimum: 4, maximum: 9 },
          ],
        },
      },
    },
    { a: { n: 3 }, b: { n: 3 }, c: { n: 3, m: "example" }, d: 4 },
  ],
  [
    "lists of many, and without repeats",
    {
      properties: {
        a: { type: "array", items: { type: "integer" }, minItems: 3, uniqueItems: true },
        b: { type: "array", items: { enum: ["x", "y"] }, minItems: 2, uniqueItems: true },
        c: { type: "array", items: [{ type: "string" }, { type: "integer" }] },
        d: { type: "array", items: { type: "string" }, maxItems: 0 },
        e: { type: "array", contains: { const: 7 } },
      },
    },
    { a: [1, 2, 3], b: ["x", "y"], c: ["example", 1], d: [], e: [7] },
  ],
  ["types beside null", { properties: { a: { type: ["null", "string"] } } }, { a: "example" }],
  ["a schema of nothing", { properties: { a: true, b: false } }, { a: null }],
])("small arguments are made from %s", (_what, schema, made) => {
  expect(firstOf(schema)).toEqual(made);
  expect(exampleArguments(schema)).toEqual(exampleArguments(schema));
});

test("a schema that refers to itself ends", () => {
  const tree = { type: "object", properties: { child: { $ref: "#" } }, required: ["child"] };
  expect(JSON.stringify(firstOf(tree)).length).toBeLessThan(500);
  expect(firstOf({ $ref: "#" })).toEqual({});
  const each = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`p${n}`, { $ref: "#" }]));
  expect(JSON.stringify(firstOf({ properties: each })).length).toBeLessThan(50_000);
  const wide = { type: "array", minItems: 1_000_000, items: { $ref: "#/$defs/w" } };
  const made = firstOf({ $defs: { w: wide }, properties: { a: { $ref: "#/$defs/w" } } });
  expect(JSON.stringify(made).length).toBeLessThan(20_000);
});

test("a tower of references that doubles ends", () => {
  const twice = (n: number) => ({ allOf: [{ $ref: `#/$defs/d${n}` }, { $ref: `#/$defs/d${n}` }] });
  const $defs = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`d${n}`, twice(n + 1)]));
  expect(exampleArguments({ $ref: "#/$defs/d0", $defs })).toEqual([{}]);
});

test("bounds beyond all numbers get a number all the same", () => {
  const bounds = {
    a: { type: "number", exclusiveMinimum: 1.7e308, multipleOf: 1e308 },
    b: { type: "number", minimum: Infinity },
  };
  expect(firstOf({ properties: bounds })).toEqual({ a: Number.MAX_VALUE, b: 1 });
});

test.each([
  [
    "a large default that many refer to",
    { properties: many({ $ref: "#/$defs/large" }), $defs: { large: { default: "x".repeat(9_000) } } },
  ],
  [
    "many long names that are required",
    { required: Object.keys(many({})).map((name) => name.padEnd(200, "x")) },
  ],
])("%s gets no large example", (_what, schema) => {
  const made = exampleArguments({ type: "object", ...schema });
  expect(made[0]).toEqual({});
  expect(JSON.stringify(made).length).toBeLessThan(5_000);
});

function many(schema: JsonObject): JsonObject {
  return Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`p${at}`, schema]));
}
