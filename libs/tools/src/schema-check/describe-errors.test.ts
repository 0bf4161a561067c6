// oxlint-disable no-thenable -- `then` is a keyword of JSON Schema
import type { Json, JsonObject } from "@bulkhead/core";
import { describe, expect, test } from "vitest";
import { JobChecker } from "./check-job.ts";
import { inspectSchema } from "./inspect-schema.ts";

/** The faults of `v` by a schema, as lines. */
function faultsOf(v: JsonObject, value: Json): string[] {
  const schema = { properties: { v } };
  const inspection = inspectSchema(schema, "outputSchema");
  const job = {
    kind: "value",
    root: "result",
    key: "one",
    schema,
    inspection,
    value: { v: value },
    steps: 1,
  } as const;
  return new JobChecker(1).check(job).faults.map(({ path, message }) => `${path} ${message}`);
}

test.each<[JsonObject, Json, string]>([
  [{ type: ["string", "null"] }, 1, "result.v must be string or null"],
  [
    { anyOf: [{ type: "string" }, { type: ["number", "null"] }] },
    true,
    "result.v must be string or number or null",
  ],
  [{ oneOf: [{ type: "string" }, { type: "number" }] }, true, "result.v must be string or number"],
  [
    {
      anyOf: [
        { const: "a", type: "string" },
        { const: "b", type: "string" },
      ],
    },
    5,
    'result.v must be one of "a", "b"',
  ],
  [{ anyOf: [{ enum: ["a", "b"] }, { type: "null" }] }, "c", 'result.v must be null or "a" or "b"'],
  [{ allOf: [{ enum: ["a", "b"] }, { enum: ["b"] }] }, "c", 'result.v must be one of "a", "b"'],
  [{ format: "email", pattern: "^[a-z]+@x$" }, "c", 'result.v must match format "email"'],
  [{ oneOf: [{}, {}] }, 1, "result.v must match only one of the forms of oneOf"],
  [{ not: {} }, 1, "result.v must not match what the schema excludes by not"],
  [{ minLength: 1 }, "", "result.v must have at least 1 character"],
  [{ maxLength: 2 }, "abc", "result.v must have at most 2 characters"],
  [{ minProperties: 2 }, {}, "result.v must have at least 2 properties"],
  [{ prefixItems: [{}], items: false }, [1, 2], "result.v must have at most 1 item"],
  [{ uniqueItems: true }, [1, 2, 1], "result.v must not have an item twice: 0 and 2 are alike"],
  [{ contains: { const: 1 } }, [2, 3], "result.v must have at least 1 item of what it is to contain"],
  [
    { contains: { const: 1 }, minContains: 2, maxContains: 3 },
    [1],
    "result.v must have 2 to 3 items of what it is to contain",
  ],
  [
    { propertyNames: { pattern: "^b" } },
    { a: 1 },
    'result.v.a is not an allowed name: it must match pattern "^b"',
  ],
  [{ dependentRequired: { a: ["b"] } }, { a: 1 }, "result.v.b is required beside a"],
  [{ unevaluatedProperties: false }, { a: 1 }, "result.v.a is not allowed"],
  [{ unevaluatedItems: { type: "string" } }, ["x", 1], "result.v.1 must be string"],
  [{ if: {}, then: { minimum: 3 } }, 1, "result.v must be >= 3"],
])("%j is said plainly of %j", (schema, value, fault) => {
  expect(faultsOf(schema, value)).toEqual([fault]);
});

test("items that are wrong for themselves are told beside what a list is to contain", () => {
  const schema = { items: { type: "integer" }, contains: { const: 1 } };
  expect(faultsOf(schema, ["x"])).toEqual([
    "result.v.0 must be integer",
    "result.v must have at least 1 item of what it is to contain",
  ]);
});

describe("of a union only what the choice asks that was meant is said", () => {
  const cat = { properties: { kind: { const: "cat" }, lives: { type: "integer" } }, required: ["kind"] };
  const dog = { properties: { kind: { enum: ["dog", "wolf"] }, name: {} }, required: ["kind", "name"] };
  const pet = { oneOf: [cat, dog] };
  const digits = { type: "string", pattern: "^[0-9]+$" };

  test.each<[string, JsonObject, Json, string[]]>([
    ["the kind that it names", pet, { kind: "cat", lives: "9" }, ["result.v.lives must be integer"]],
    ["the other kind", pet, { kind: "wolf" }, ["result.v.name is required"]],
    ["no kind", pet, {}, ["result.v.kind is required"]],
    ["an unknown kind", pet, { kind: "cow" }, ['result.v.kind must be one of "cat", "dog", "wolf"']],
    [
      "an unknown kind where null would do",
      { anyOf: [{ ...cat, type: "object" }, { ...dog, type: "object" }, { type: "null" }] },
      { kind: "cow" },
      ['result.v.kind must be one of "cat", "dog", "wolf"'],
    ],
    [
      "each item by itself",
      { items: pet },
      [{ kind: "cow" }, { kind: "dog" }],
      ['result.v.0.kind must be one of "cat", "dog", "wolf"', "result.v.1.name is required"],
    ],
    [
      "what stands beside the union",
      { ...pet, required: ["id"] },
      { kind: "dog" },
      ["result.v.name is required", "result.v.id is required"],
    ],
    [
      "the type that it has",
      { anyOf: [{ type: "number" }, digits] },
      "x",
      ['result.v must match pattern "^[0-9]+$"'],
    ],
    ["the type of a constant", { anyOf: [{ const: "auto" }, { minimum: 0 }] }, -1, ["result.v must be >= 0"]],
    ["an inner union", { anyOf: [{ type: "null" }, pet] }, { kind: "dog" }, ["result.v.name is required"]],
    [
      "nothing that tells them apart",
      { anyOf: [{ required: ["a"] }, { required: ["b"] }] },
      {},
      ["result.v.a is required", "result.v.b is required", "result.v must match one of the forms of anyOf"],
    ],
  ])("%s", (_, schema, value, faults) => {
    expect(faultsOf(schema, value)).toEqual(faults);
  });

  test("through references", () => {
    const schema = {
      anyOf: [{ $ref: "#/properties/v/$defs/cat" }, { $ref: "#/properties/v/$defs/dog" }],
      $defs: { cat, dog },
    };
    expect(faultsOf(schema, { kind: "dog" })).toEqual(["result.v.name is required"]);
    expect(faultsOf(schema, { kind: "cow" })).toEqual(['result.v.kind must be one of "cat", "dog", "wolf"']);
  });
});
