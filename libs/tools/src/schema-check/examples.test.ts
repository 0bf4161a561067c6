import { exampleArguments, type JsonObject } from "@bulkhead/core";
import { isNightly } from "@bulkhead/testing";
import {
  type Arbitrary,
  assert,
  constantFrom,
  dictionary,
  integer,
  letrec,
  oneof,
  option,
  property,
  record,
  tuple,
} from "fast-check";
import { describe, expect, test } from "vitest";
import { JobChecker } from "./check-job.ts";
import { inspectSchema } from "./inspect-schema.ts";

/** Whether one of the examples of a usable schema is valid by it. */
function hasValidExample(schema: JsonObject): boolean {
  const inspection = inspectSchema(schema, "parameters");
  const checker = new JobChecker(1);
  const { faults } = checker.check({ kind: "schema", place: "parameters", schema, inspection });
  expect(faults).toEqual([]);
  return exampleArguments(schema).some((value) => {
    const job = { kind: "value", root: "arguments", key: "k", schema, inspection, value, steps: 1 } as const;
    return checker.check(job).faults.length === 0;
  });
}

const bounds = tuple(integer({ min: -20, max: 20 }), integer({ min: 0, max: 20 }));
const lengths = tuple(integer({ min: 0, max: 12 }), integer({ min: 3, max: 12 }));
const leaf: Arbitrary<JsonObject> = oneof(
  constantFrom<JsonObject>(
    { type: "boolean" },
    { type: "null" },
    { enum: ["a", 2] },
    { const: "c" },
    { default: 7 },
  ),
  bounds.map(([minimum, more]) => ({ type: "integer", minimum, maximum: minimum + more })),
  bounds.map(([least, more]) => ({ type: "number", exclusiveMinimum: least, maximum: least + 1 + more })),
  lengths.map(([minLength, more]) => ({ type: "string", minLength, maxLength: minLength + more })),
  constantFrom("date", "date-time", "email", "uri", "uuid", "ipv4", "duration").map((format) => ({
    type: "string",
    format,
  })),
  constantFrom("leaf", "node").map((name) => ({ $ref: `#/$defs/${name}` })),
);
const { schema: anySchema } = letrec<{ schema: JsonObject; object: JsonObject }>((tie) => ({
  object: record({
    type: constantFrom("object" as const),
    properties: dictionary(constantFrom("a", "b", "c"), tie("schema"), { maxKeys: 3 }),
    closed: option(constantFrom(false as const)),
    all: integer({ min: 0, max: 3 }),
  }).map(({ type, properties, closed, all }): JsonObject => ({
    type,
    properties,
    required: Object.keys(properties).slice(0, all),
    ...(closed === null ? {} : { additionalProperties: closed }),
  })),
  schema: oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    tie("object"),
    tuple(tie("schema"), integer({ min: 0, max: 3 })).map(([items, minItems]) => ({
      type: "array",
      items,
      minItems,
    })),
    tie("schema").map((one) => ({ anyOf: [one, { type: "null" }] })),
    tie("schema").map((one) => ({ anyOf: [{ type: "null" }, one] })),
    tuple(tie("schema"), tie("schema")).map((anyOf) => ({ anyOf })),
    tie("schema").map((one) => ({ allOf: [one], description: "x" })),
    tie("schema").map((one) => ({ ...one, nullable: true })),
    constantFrom("leaf", "node").map((name) => ({ allOf: [{ $ref: `#/$defs/${name}` }] })),
  ),
}));
const $defs = {
  leaf: { type: "integer", minimum: 3 },
  node: {
    type: "object",
    properties: {
      n: { $ref: "#/$defs/leaf" },
      next: { anyOf: [{ $ref: "#/$defs/node" }, { type: "null" }] },
    },
    required: ["n"],
  },
};

test("each schema of types, bounds, references, unions and parts has an example that is valid by it", () => {
  assert(
    property(dictionary(constantFrom("p", "q"), anySchema, { minKeys: 1 }), (properties) => {
      const schema = { type: "object", properties, required: Object.keys(properties), $defs };
      expect(hasValidExample(schema), JSON.stringify(schema)).toBe(true);
    }),
    { numRuns: isNightly ? 300 : 60, seed: 2 },
  );
});

const REAL: Record<string, JsonObject> = {
  "pydantic's optional model": {
    $defs: {
      Address: {
        properties: {
          street: { type: "string" },
          zip: { type: "string", pattern: "^\\d{5}$", default: "12345" },
        },
        required: ["street", "zip"],
        type: "object",
      },
    },
    properties: { p: { anyOf: [{ $ref: "#/$defs/Address" }, { type: "null" }] } },
    required: ["p"],
    type: "object",
  },
  "zod's discriminated union": {
    type: "object",
    properties: {
      event: {
        oneOf: [
          {
            type: "object",
            properties: { kind: { const: "a" }, at: { type: "integer" } },
            required: ["kind", "at"],
            additionalProperties: false,
          },
          {
            type: "object",
            properties: { kind: { const: "b" } },
            required: ["kind"],
            additionalProperties: false,
          },
        ],
      },
    },
    required: ["event"],
    additionalProperties: false,
  },
  "one of two properties": {
    type: "object",
    properties: { id: { type: "string" }, name: { type: "string" } },
    oneOf: [{ required: ["id"] }, { required: ["name"] }],
  },
  "a default that the schema refuses": {
    type: "object",
    properties: { n: { type: "integer", minimum: 1, default: 0 } },
    required: ["n"],
  },
  "an optional text by a pattern": {
    type: "object",
    properties: { code: { type: "string", pattern: "^[A-Z]{3}$" } },
  },
  "a root that is a reference": {
    $ref: "#/$defs/Args",
    $defs: { Args: { type: "object", required: ["n"], properties: { n: { type: "number" } } } },
  },
  "a map with a least size": {
    type: "object",
    properties: { m: { type: "object", minProperties: 2, additionalProperties: { type: "integer" } } },
    required: ["m"],
  },
  "names that require others": {
    type: "object",
    properties: { a: { type: "string" }, b: { type: "integer" } },
    required: ["a"],
    dependentRequired: { a: ["b"] },
  },
};

describe("a schema as libraries write it has an example that is valid by it", () => {
  test.each(Object.entries(REAL))("%s", (_, schema) => {
    expect(hasValidExample(schema)).toBe(true);
  });
});
