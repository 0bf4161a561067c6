import type { JsonObject } from "@bulkhead/domain";
import { describe, expect, test } from "vitest";
import { ANTHROPIC, EVERY_PROVIDER, OPENAI } from "./strict-dialects.ts";
import { toStrict } from "./strict-schema.ts";

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  ...more,
});
const city = object({ city: { type: "string", description: "City name", default: "Rome", title: "City" } });

test("an object whose properties are all required is closed, and loses what says nothing about values", () => {
  for (const dialect of [OPENAI, ANTHROPIC, EVERY_PROVIDER]) {
    expect(toStrict(city, dialect)?.schema).toEqual({
      type: "object",
      properties: { city: { type: "string", description: "City name" } },
      required: ["city"],
      additionalProperties: false,
    });
  }
});

test("objects inside are closed too, in lists, choices and definitions", () => {
  const schema = object(
    {
      list: { type: "array", items: object({ n: { type: "integer" } }) },
      choice: { anyOf: [object({ a: { type: "string" } }), { type: "null" }] },
      node: { $ref: "#/$defs/node" },
    },
    { $defs: { node: object({ next: { anyOf: [{ $ref: "#/$defs/node" }, { type: "null" }] } }) } },
  );
  const strict = toStrict(schema, OPENAI)?.schema;
  expect(JSON.stringify(strict).match(/"additionalProperties":false/g)).toHaveLength(4);
  expect(toStrict(schema, ANTHROPIC)).toBeNull();
});

test("what may be left out is strict only where null says the same, or where the format lets it be left out", () => {
  const optional = object({ a: { type: "string" } }, { required: [] });
  expect(toStrict(optional, OPENAI)).toBeNull();
  expect(toStrict(optional, ANTHROPIC)).toMatchObject({ optionals: 1, schema: { required: [] } });
  const nullable = object({ a: { type: ["string", "null"] } }, { required: [] });
  expect(toStrict(nullable, OPENAI)?.schema).toMatchObject({ required: ["a"] });
  expect(toStrict(nullable, OPENAI)?.unions).toBe(1);
});

test.each<[string, JsonObject, boolean]>([
  ["a choice of null", { anyOf: [{ type: "string" }, { type: "null" }] }, true],
  ["a choice of what may be null", { anyOf: [{ type: ["string", "null"] }, { type: "integer" }] }, true],
  ["an enum with null", { type: ["string", "null"], enum: ["a", null] }, true],
  ["a choice without null", { anyOf: [{ type: "string" }, { type: "integer" }] }, false],
  [
    "a choice of null beside a type",
    { type: "string", anyOf: [{ type: "string" }, { type: "null" }] },
    false,
  ],
  ["an enum without null", { type: ["string", "null"], enum: ["a"] }, false],
])("an optional property by %s takes null for being left out: %#", (_, a, strict) => {
  expect(toStrict(object({ a }, { required: [] }), OPENAI) !== null).toBe(strict);
});

describe("what can't be expressed is not made strict:", () => {
  test.each<[string, JsonObject]>([
    ["no schema of an object", { type: "string" }],
    ["an object that names no properties", { type: "object" }],
    ["an object that is open on purpose", object({}, { additionalProperties: true })],
    ["a map", object({}, { additionalProperties: { type: "string" } })],
    ["a choice at the root", { ...object({}), anyOf: [object({})] }],
    ["anything at all", object({ a: {} })],
    ["a boolean schema", object({ a: true })],
    ["a pattern that looks ahead", object({ a: { type: "string", pattern: "^(?=a)" } })],
    ["what OpenAPI calls nullable", object({ a: { type: "string", nullable: true } })],
    ["a length", object({ a: { type: "string", minLength: 1 } })],
    ["a format that isn't known", object({ a: { type: "string", format: "iban" } })],
    ["a list of anything", object({ a: { type: "array" } })],
    ["a required name that isn't a property", object({}, { required: ["ghost"] })],
    ["a combination", object({ a: { allOf: [{ type: "string" }] } })],
    ["a condition", object({ a: { type: "string" } }, { if: {}, else: {} })],
    ["an enum of objects", object({ a: { enum: [{ x: 1 }] } })],
    ["a constant object", object({ a: { const: { x: 1 } } })],
    ["a reference to somewhere else", object({ a: { $ref: "https://example.com/x" } })],
    ["a reference with more beside it", object({ a: { $ref: "#/$defs/a", type: "string" } }, { $defs: {} })],
    ["text that only looks like a schema", object({ a: "string" })],
  ])("%s", (_name, schema) => {
    expect([OPENAI, ANTHROPIC, EVERY_PROVIDER].map((dialect) => toStrict(schema, dialect))).toEqual([
      null,
      null,
      null,
    ]);
  });

  test("bounds of numbers and patterns, except where the format has them", () => {
    const schema = object({ a: { type: "integer", minimum: 1 }, b: { type: "string", pattern: "^a" } });
    expect(toStrict(schema, OPENAI)?.schema).toMatchObject({
      properties: { a: { minimum: 1 }, b: { pattern: "^a" } },
    });
    expect(toStrict(schema, ANTHROPIC)).toBeNull();
  });

  test("a schema that is too deep, has too many properties, too many values or too much text", () => {
    let deep: JsonObject = { type: "string" };
    for (let depth = 0; depth < 5_000; depth += 1) deep = object({ a: deep });
    const many = Object.fromEntries(Array.from({ length: 5_001 }, (_, n) => [`p${n}`, { type: "null" }]));
    const values = object({ a: { enum: Array.from({ length: 1_001 }, (_, n) => n) } });
    const long = object({ a: { enum: ["x".repeat(120_001)] } });
    for (const schema of [deep, object(many), values, long]) expect(toStrict(schema, OPENAI)).toBeNull();
  });
});
