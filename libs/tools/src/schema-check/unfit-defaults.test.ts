import type { JsonObject } from "@bulkhead/core";
import { expect, test } from "vitest";
import { JobChecker } from "./check-job.ts";
import { inspectSchema } from "./inspect-schema.ts";

/** What is told of the defaults in an object's properties. */
function warningsOf(properties: JsonObject, more: JsonObject = {}) {
  const schema: JsonObject = { type: "object", properties, ...more };
  const inspection = inspectSchema(schema, "parameters");
  const { faults, warnings } = new JobChecker(1).check({
    kind: "schema",
    place: "parameters",
    schema,
    inspection,
  });
  expect(faults).toEqual([]);
  return warnings.map(({ path, message }) => `${path} ${message}`);
}

const DEFS = { $defs: { "a b/%": { type: "integer", maximum: 5 } } };

test.each<[string, JsonObject, string | null]>([
  [
    "of another type",
    { a: { type: "integer", default: "7" } },
    "a.default is refused by its own schema: it must be integer",
  ],
  [
    "beyond a bound",
    { a: { type: "integer", maximum: 5, default: 7 } },
    "a.default is refused by its own schema: it must be <= 5",
  ],
  [
    "that a reference refuses",
    { a: { $ref: "#/$defs/a b~1%25", default: 7 } },
    "a.default is refused by its own schema: it must be <= 5",
  ],
  [
    "with a part that is wrong",
    { a: { type: "array", items: { type: "string" }, default: ["x", 1] } },
    "a.default is refused by its own schema: it.1 must be string",
  ],
  [
    "within items",
    { a: { type: "array", items: { type: "string", default: 1 } } },
    "a.items.default is refused by its own schema: it must be string",
  ],
  [
    "of a place with a strange name",
    { "a/b %~": { type: "string", default: 1 } },
    "a/b %~.default is refused by its own schema: it must be string",
  ],
  [
    "of a nullable place",
    { a: { type: "string", nullable: true, enum: ["b"], default: "c" } },
    'a.default is refused by its own schema: it must be one of "b", null',
  ],
  ["that fits", { a: { $ref: "#/$defs/a b~1%25", default: 4 } }, null],
  ["null, which is none", { a: { type: "string", default: null } }, null],
  ["that is a name", { default: { type: "string" } }, null],
])("a default %s is told with its place", (_what, properties, said) => {
  expect(warningsOf(properties, DEFS)).toEqual(said === null ? [] : [`parameters.properties.${said}`]);
});

test("it is told in each draft", () => {
  for (const draft of [
    "http://json-schema.org/draft-07/schema#",
    "https://json-schema.org/draft/2019-09/schema",
  ])
    expect(warningsOf({ a: { type: "string", default: 1 } }, { $schema: draft })).toHaveLength(1);
});

test("the first ones of many are looked at, and told as far as answers have room", () => {
  const many = Object.fromEntries(
    Array.from({ length: 150 }, (_, n) => [`p${n}`, { type: "string", default: n }]),
  );
  expect(warningsOf(many)).toHaveLength(20);
});
