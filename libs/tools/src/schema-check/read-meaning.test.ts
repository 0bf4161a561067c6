import type { JsonObject, SchemaChecker } from "@bulkhead/core";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { JobChecker } from "./check-job.ts";
import { inspectSchema } from "./inspect-schema.ts";
import { openSchemaChecker } from "./schema-checker.ts";

const TENANT = "ten_1";
let checker: SchemaChecker;
beforeAll(() => void (checker = openSchemaChecker()));
afterAll(() => checker.close());
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  ...more,
});

describe("a schema as generators write it is taken", () => {
  it.each<[string, JsonObject]>([
    ["draft 2019-09 by name", { $schema: "https://json-schema.org/draft/2019-09/schema", type: "object" }],
    ["no type at the root", { properties: { a: { type: "string" } } }],
    ["a root that refers to an object", { $ref: "#/$defs/a", $defs: { a: { type: "object" } } }],
    ["a root that refers to itself", { $ref: "#" }],
    [
      "a root that is referred to by its name",
      { type: "object", $anchor: "a", properties: { b: { $ref: "#a" } } },
    ],
    [
      "a root that is referred to by its dynamic name",
      { type: "object", $dynamicAnchor: "a", properties: { b: { $dynamicRef: "#a" } } },
    ],
  ])("%s", async (_, schema) => {
    const found = await checker.checkSchema(TENANT, schema, "parameters");
    expect(found).toEqual({ faults: [], warnings: [] });
  });
});

describe("its faults are named where they are written", () => {
  it.each<[string, JsonObject, string, RegExp]>([
    [
      "a root that refers to what is no object",
      { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { type: "string" } } },
      "parameters.$ref",
      /"object"/,
    ],
    [
      "a tuple's part",
      object({ a: { items: [{ minLength: "x" }] } }),
      "parameters.properties.a.items.0.minLength",
      /integer/,
    ],
    [
      "what comes behind a tuple",
      object({ a: { items: [{}], additionalItems: { maxLength: "y" } } }),
      "parameters.properties.a.additionalItems.maxLength",
      /integer/,
    ],
    [
      "a part of what is nullable",
      object({ a: { nullable: true, allOf: [{ minLength: "x" }] } }),
      "parameters.properties.a.allOf.0.minLength",
      /integer/,
    ],
    ["a name inside that is none", object({ a: { $id: 1 } }), "parameters.properties.a.$id", /URI/],
    [
      "an anchor that is no name",
      object({ a: { $anchor: "1 a" } }),
      "parameters.properties.a.$anchor",
      /name/,
    ],
    [
      "two parts of one name",
      object({ a: { $id: "n", type: "string" }, b: { $id: "n" } }),
      "parameters.properties.b.$id",
      /not alike/,
    ],
    [
      "a document that is not bundled",
      object({ a: { $id: "https://x.test/a/b", items: { $ref: "c" } } }),
      "parameters.properties.a.items.$ref",
      /never loaded/,
    ],
    [
      "a place that its document doesn't have",
      object({ a: { $id: "n" }, b: { $ref: "n#/$defs/c" } }),
      "parameters.properties.b.$ref",
      /nothing/,
    ],
    [
      "a part that only a reference reaches",
      {
        type: "object",
        components: { a: { minLength: "x" } },
        properties: { a: { $ref: "#/components/a" } },
      },
      "parameters.components.a.minLength",
      /integer/,
    ],
    [
      "a property of Unicode that doesn't exist",
      object({ a: { pattern: "^\\p{Nope}$" } }),
      "parameters.properties.a.pattern",
      /JavaScript don't know/,
    ],
  ])("%s", async (_, schema, path, message) => {
    const { faults } = await checker.checkSchema(TENANT, schema, "parameters");
    expect(faults[0]).toEqual({ path, message: expect.stringMatching(message) });
  });
});

describe("a pattern that can't be matched in linear time", () => {
  const schema = object({ a: { type: "string", pattern: "(?=a)b" }, b: { type: "integer" } });
  const check = (value: JsonObject) => checker.checkArguments(TENANT, "unchecked", schema, value);

  it("is taken with a warning that names it, and not checked", async () => {
    expect(await checker.checkSchema(TENANT, schema, "parameters")).toEqual({
      faults: [],
      warnings: [{ path: "parameters.properties.a.pattern", message: expect.stringMatching(/linear time/) }],
    });
    expect(await check({ a: "no match", b: 1 })).toEqual([]);
    expect(await check({ a: "no match", b: "x" })).toEqual([
      { path: "arguments.b", message: "must be integer" },
    ]);
  });

  it("can't choose properties", async () => {
    const choosing = object({}, { patternProperties: { "(?=a)b": {} } });
    expect((await checker.checkSchema(TENANT, choosing, "parameters")).faults).toEqual([
      { path: "parameters.patternProperties.(?=a)b", message: expect.stringMatching(/linear time/) },
    ]);
  });
});

test("what its dynamic references make too much of is refused", () => {
  const names = Array.from({ length: 14 }, (_, n) => `t${n}`);
  const all = names.map((name) => ({ $ref: name }));
  const documents = names.flatMap((name) => [
    [name, { $id: name, $dynamicAnchor: name, properties: { a: { $dynamicRef: `#${name}` } }, allOf: all }],
    [`${name}-too`, { $id: `${name}-too`, $dynamicAnchor: name }],
  ]);
  const schema = object({ a: { $ref: "t0" } }, { $defs: Object.fromEntries(documents) as JsonObject });
  const inspection = inspectSchema(schema, "parameters");
  const { faults } = new JobChecker(1).check({ kind: "schema", place: "parameters", schema, inspection });
  expect(faults).toEqual([
    { path: "parameters", message: expect.stringMatching(/too large once its references are followed/) },
  ]);
});

it.each<[string, JsonObject]>([
  ["const before enum", { nullable: true, const: 1, enum: [1, 2] }],
  ["enum before const", { nullable: true, enum: [1, 2], const: 1 }],
])("what is nullable takes null and what both its lists allow: %s", async (name, a) => {
  const check = async (value: number | null) =>
    (await checker.checkArguments(TENANT, name, object({ a }), { a: value })).length;
  expect([await check(1), await check(null), await check(2)]).toEqual([0, 0, 1]);
});
