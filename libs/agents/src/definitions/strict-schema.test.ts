import type { JsonObject } from "@bulkhead/core";
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

test.each<[string, JsonObject, JsonObject]>([
  ["nullable", { type: "string", nullable: true }, { type: ["string", "null"] }],
  [
    "nullable of values",
    { type: "string", enum: ["a"], nullable: true },
    { type: ["string", "null"], enum: ["a", null] },
  ],
  ["nullable of one value", { const: "a", nullable: true }, { enum: ["a", null] }],
  [
    "nullable of a choice",
    { anyOf: [{ type: "string" }, { type: "integer" }], nullable: true },
    { anyOf: [{ type: "string" }, { type: "integer" }, { type: "null" }] },
  ],
  [
    "nullable of what is elsewhere",
    { $ref: "#/$defs/n", nullable: true },
    { anyOf: [{ $ref: "#/$defs/n" }, { type: "null" }] },
  ],
  ["nullable that is false", { type: "string", nullable: false }, { type: "string" }],
  [
    "items one by one of one kind",
    { type: "array", items: [{ type: "string" }, { type: "string" }] },
    { type: "array", items: { type: "string" } },
  ],
  [
    "items of one kind and no others",
    { type: "array", prefixItems: [{ type: "string" }, { type: "string" }], items: false, maxItems: 5 },
    { type: "array", items: { type: "string" }, maxItems: 2 },
  ],
  [
    "the only part",
    { description: "here", allOf: [{ $ref: "#/$defs/n", description: "there" }] },
    { $ref: "#/$defs/n" },
  ],
  [
    "bounds of OpenAPI",
    { type: "integer", minimum: 1, exclusiveMinimum: true },
    { type: "integer", exclusiveMinimum: 1 },
  ],
])("%s has a strict form", (_, a, strict) => {
  const $defs = { n: { type: "integer" } };
  expect(toStrict(object({ a }, { $defs }), OPENAI)?.schema).toMatchObject({ properties: { a: strict } });
  const optional = toStrict(object({ a }, { required: [], $defs }), OPENAI);
  expect(optional !== null).toBe(JSON.stringify(strict).includes("null"));
});

test("a root that is elsewhere, or the only part of something, is what it stands for", () => {
  const $defs = { a: object({ n: { anyOf: [{ $ref: "#/$defs/a" }, { type: "null" }] } }) };
  const strict = toStrict({ $ref: "#/$defs/a", $defs }, OPENAI)?.schema;
  expect(strict).toMatchObject({ type: "object", required: ["n"], additionalProperties: false });
  expect(toStrict({ $id: "tool", anyOf: [city], nullable: true }, OPENAI)?.schema).toEqual(
    toStrict(city, OPENAI)?.schema,
  );
});

describe("what can't be expressed is not made strict:", () => {
  test.each<[string, JsonObject]>([
    ["no schema of an object", { type: "string" }],
    ["an object that names no properties", { type: "object" }],
    ["an object that is open on purpose", object({}, { additionalProperties: true })],
    ["a map", object({}, { additionalProperties: { type: "string" } })],
    ["a choice at the root", { ...object({}), anyOf: [object({}), object({ a: { type: "null" } })] }],
    [
      "items of several kinds",
      object({ a: { type: "array", items: [{ type: "string" }, { type: "null" }] } }),
    ],
    [
      "two parts that say different things",
      object({
        a: { type: "string", allOf: [{ type: "string", enum: ["x"], description: "d", minLength: 1 }] },
      }),
    ],
    ["anything at all", object({ a: {} })],
    ["a boolean schema", object({ a: true })],
    ["a pattern that looks ahead", object({ a: { type: "string", pattern: "^(?=a)" } })],
    ["a length", object({ a: { type: "string", minLength: 1 } })],
    ["a format that isn't known", object({ a: { type: "string", format: "iban" } })],
    ["a list of anything", object({ a: { type: "array" } })],
    ["a required name that isn't a property", object({}, { required: ["ghost"] })],
    ["a combination", object({ a: { allOf: [{ type: "string" }, { pattern: "a" }] } })],
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
