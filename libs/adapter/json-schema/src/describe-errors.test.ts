// oxlint-disable no-thenable -- `then` is a keyword of JSON Schema
import type { Json, JsonObject } from "@bulkhead/domain";
import { expect, test } from "vitest";
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
