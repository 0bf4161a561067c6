// oxlint-disable no-thenable -- `then` is a keyword of JSON Schema
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../json/json.ts";
import { completeArguments, DEFAULTS_CHARS_MAX } from "./complete-arguments.ts";

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  ...more,
});
const filled = (schema: JsonObject, args: JsonObject) =>
  completeArguments(schema, args, { defaults: true, nullsAreAbsent: false });
const withoutNulls = (schema: JsonObject, args: JsonObject) =>
  completeArguments(schema, args, { defaults: false, nullsAreAbsent: true });

describe("what is left out and has a default is filled in", () => {
  const unit: JsonObject = { enum: ["metric", "imperial"], default: "metric" };
  const page = object({ size: { type: "integer", default: 20 } });
  test.each<[string, JsonObject, JsonObject, JsonObject]>([
    ["at the root", object({ unit, n: {} }), {}, { unit: "metric" }],
    ["not where it is given", object({ unit }), { unit: "x" }, { unit: "x" }],
    ["not where null is given", object({ unit }), { unit: null }, { unit: null }],
    [
      "a default of null, false and 0",
      object({ a: { default: null }, b: { default: false }, c: { default: 0 } }),
      {},
      { a: null, b: false, c: 0 },
    ],
    [
      "no default of null where null is not taken",
      object({ a: { type: "string", default: null }, b: { type: ["string", "null"], default: null } }),
      {},
      { b: null },
    ],
    ["in an object within", object({ page }), { page: {} }, { page: { size: 20 } }],
    ["not an object of its own for what is within", object({ page }), {}, {}],
    ["an object as it is written", object({ page: { ...page, default: {} } }), {}, { page: {} }],
    [
      "in items",
      object({ list: { items: page } }),
      { list: [{}, { size: 1 }, 3] },
      { list: [{ size: 20 }, { size: 1 }, 3] },
    ],
    [
      "in a tuple",
      object({ list: { prefixItems: [{}, page], items: object({ unit }) } }),
      { list: [{}, {}, {}] },
      { list: [{}, { size: 20 }, { unit: "metric" }] },
    ],
    [
      "in values of any name",
      object({ map: { additionalProperties: page } }),
      { map: { a: {} } },
      { map: { a: { size: 20 } } },
    ],
    [
      "through a reference",
      object({ page: { $ref: "#/$defs/page" } }, { $defs: { page } }),
      { page: {} },
      { page: { size: 20 } },
    ],
    [
      "by what is referred to",
      object({ unit: { $ref: "unit" } }, { $defs: { unit: { $id: "unit", ...unit } } }),
      {},
      { unit: "metric" },
    ],
    [
      "by the nearest word",
      object({ unit: { $ref: "#/$defs/unit", default: "imperial" } }, { $defs: { unit } }),
      {},
      { unit: "imperial" },
    ],
    [
      "in what holds together",
      { allOf: [object({ unit }), object({ page })] },
      { page: {} },
      { unit: "metric", page: { size: 20 } },
    ],
    [
      "by several parts of one property",
      { allOf: [object({ page }), object({ page: object({ unit }) })] },
      { page: {} },
      { page: { size: 20, unit: "metric" } },
    ],
    [
      "not in a union",
      object({ a: { anyOf: [page, { type: "null" }] } }, { oneOf: [object({ unit })] }),
      { a: {} },
      { a: {} },
    ],
    ["not under a condition", object({}, { if: true, then: object({ unit }) }), {}, {}],
    [
      "by a tree at each level",
      object({ next: { $ref: "#" }, unit }),
      { next: { next: {} } },
      { next: { next: { unit: "metric" }, unit: "metric" }, unit: "metric" },
    ],
  ])("%s", (_, schema, args, expected) => {
    expect(filled(schema, args)).toEqual({ arguments: expected });
  });

  test("what stands beside a reference is nothing in draft 7", () => {
    const schema = object(
      { unit: { $ref: "#/definitions/unit", default: "imperial" } },
      { definitions: { unit }, $schema: "http://json-schema.org/draft-07/schema#" },
    );
    expect(filled(schema, {})).toEqual({ arguments: { unit: "metric" } });
  });

  test("each call has defaults of its own, and the schema stays as it is", () => {
    const schema = object({ list: { default: [{ a: 1 }] } });
    const first = filled(schema, {});
    if ("arguments" in first) (first.arguments["list"] as JsonObject[]).push({ b: 2 });
    expect(filled(schema, {})).toEqual({ arguments: { list: [{ a: 1 }] } });
  });

  test("what is complete is the same object", () => {
    const args = { unit: "x", list: [{ size: 1 }] };
    const found = filled(object({ unit, list: { items: page } }), args);
    expect("arguments" in found && found.arguments).toBe(args);
  });

  test("a name of every object is a name like any other", () => {
    const schema = object({ constructor: { default: 1 }, toString: { type: "string" } });
    expect(filled(schema, {})).toEqual({ arguments: { constructor: 1 } });
  });
});

describe("null stands for being left out", () => {
  const optional = (a: Json, more: JsonObject = {}): JsonObject => object({ a }, more);
  test.each<[string, JsonObject, boolean]>([
    ["where another type is asked for", optional({ type: "string" }), true],
    ["where others are", optional({ type: ["string", "integer"] }), true],
    ["where other values are", optional({ enum: ["x"] }), true],
    ["where another value is", optional({ const: 1 }), true],
    [
      "where no choice takes it",
      optional({ anyOf: [{ type: "string" }, { $ref: "#/$defs/n" }] }, { $defs: { n: { type: "integer" } } }),
      true,
    ],
    [
      "where what is referred to refuses it",
      optional({ $ref: "#/$defs/n" }, { $defs: { n: { type: "integer" } } }),
      true,
    ],
    ["where a part refuses it", optional({ allOf: [{}, { type: "string" }] }), true],
    ["not where it is required", optional({ type: "string" }, { required: ["a"] }), false],
    [
      "not where another part requires it",
      { allOf: [optional({ type: "string" }), { required: ["a"] }] },
      false,
    ],
    ["not where it is a type", optional({ type: ["string", "null"] }), false],
    ["not where it is nullable", optional({ type: "string", nullable: true }), false],
    ["not where a choice takes it", optional({ anyOf: [{ type: "string" }, { type: "null" }] }), false],
    ["not where it is a value", optional({ enum: ["x", null] }), false],
    ["not where anything is taken", optional({ description: "anything" }), false],
    ["not where nothing is", optional(false), false],
    ["not where nobody speaks of it", object({}), false],
  ])("%s", (_, schema, isAbsent) => {
    expect(withoutNulls(schema, { a: null, b: 1 })).toEqual({
      arguments: isAbsent ? { b: 1 } : { a: null, b: 1 },
    });
  });

  test("also within objects and items, and a default takes its place", () => {
    const schema = object({ list: { items: object({ n: { type: "integer", default: 1 } }) } });
    const args = { list: [{ n: null }, { n: 2 }, null] };
    expect(withoutNulls(schema, args)).toEqual({ arguments: { list: [{}, { n: 2 }, null] } });
    expect(completeArguments(schema, args, { defaults: true, nullsAreAbsent: true })).toEqual({
      arguments: { list: [{ n: 1 }, { n: 2 }, null] },
    });
  });
});

describe("what can't be completed within bounds is told:", () => {
  test("defaults many times over", () => {
    const text = "x".repeat(1_000);
    const schema = object({ list: { items: object({ text: { default: text } }) } });
    const many = (count: number) => ({ list: Array.from({ length: count }, () => ({})) });
    expect(filled(schema, many(100))).toMatchObject({ arguments: {} });
    expect(filled(schema, many(DEFAULTS_CHARS_MAX / 1_000))).toEqual({
      fault: expect.stringMatching(/256 KiB of defaults/),
    });
  });

  test("more objects than are looked at", () => {
    const schema = object({ list: { items: object({ a: { type: "string" } }) } });
    expect(filled(schema, { list: Array.from({ length: 60_000 }, () => ({})) })).toEqual({
      fault: expect.stringMatching(/too many/),
    });
  });

  test("a schema whose parts hold for each other is looked at once, however many values it holds for", () => {
    const part = () => ({ properties: { a: { $ref: "#" }, b: { $ref: "#" }, n: { default: 1 } } });
    const schema: JsonObject = { allOf: Array.from({ length: 60 }, part) };
    const tree = (depth: number): JsonObject =>
      depth === 0 ? { n: 0 } : { a: tree(depth - 1), b: tree(depth - 1), n: 0 };
    const args = tree(14);
    expect(filled(schema, args)).toEqual({ arguments: args });
    expect(filled(schema, { a: {} })).toEqual({ arguments: { a: { n: 1 }, n: 1 } });
  });

  test("unions of unions of a schema with itself", () => {
    const text = { allOf: [{ allOf: [{ type: "string" }] }] };
    const choice = () => ({ allOf: [{ $ref: "#/properties/p" }, text] });
    const schema = object({ p: { anyOf: Array.from({ length: 300 }, choice) } });
    expect(withoutNulls(schema, { p: null })).toEqual({ fault: expect.stringMatching(/too many parts/) });
  });

  test("deeper levels stay as they are, and circles end", () => {
    let deep: JsonObject = {};
    for (let level = 0; level < 5_000; level += 1) deep = { next: deep };
    const tree = object({ next: { $ref: "#" }, n: { default: 1 } });
    expect(filled(tree, deep)).toMatchObject({ arguments: { n: 1 } });
    const circle = {
      $ref: "#/$defs/a",
      $defs: { a: { allOf: [{ $ref: "#/$defs/b" }] }, b: { $ref: "#/$defs/a" } },
    };
    expect(filled(circle, { a: null })).toEqual({ arguments: { a: null } });
  });
});
