import type { JsonObject, SchemaChecker } from "@bulkhead/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { VALUE_DEPTH_MAX, FAULTS_MAX, SCHEMA_DEPTH_MAX, SCHEMA_NODES_MAX } from "./bounds.ts";
import { openSchemaChecker } from "./schema-checker.ts";

const DRAFT_7 = "http://json-schema.org/draft-07/schema#";
let checker: SchemaChecker;
type Asked<M extends keyof SchemaChecker> =
  Parameters<SchemaChecker[M]> extends [string, ...infer A] ? A : never;
const TENANT = "ten_1";
const checkSchema = async (...asked: Asked<"checkSchema">) =>
  (await checker.checkSchema(TENANT, ...asked)).faults;
const checkArguments = (...asked: Asked<"checkArguments">) => checker.checkArguments(TENANT, ...asked);
const checkResult = (...asked: Asked<"checkResult">) => checker.checkResult(TENANT, ...asked);
beforeAll(() => void (checker = openSchemaChecker()));
afterAll(() => checker.close());

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  ...more,
});
const nest = (levels: number, inner: string): string => '{"a":'.repeat(levels) + inner + "}".repeat(levels);
const parse = (text: string): JsonObject => JSON.parse(text);
const many = (count: number, name: string): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index}`, { type: "string" }]));

describe("a usable schema has no fault", () => {
  it.each<[string, JsonObject]>([
    ["nothing but the root's type", { type: "object" }],
    ["draft 2020-12 by name", { $schema: "https://json-schema.org/draft/2020-12/schema", type: "object" }],
    ["draft 7 by name", { $schema: DRAFT_7, type: "object" }],
    ["draft 7's tuples", object({ a: { type: "array", items: [{ type: "string" }] } }, { $schema: DRAFT_7 })],
    ["tuples of 2020-12", object({ a: { type: "array", prefixItems: [{ type: "string" }], items: false } })],
    ["a name of its own", { $id: "https://example.org/tool.json", type: "object" }],
    ["properties named as keywords", object({ pattern: { type: "string" }, $ref: { type: "string" } })],
    ["keywords nobody knows", object({ a: { type: "string", example: "x", "x-hint": 1 } })],
    ["formats nobody knows", object({ a: { type: "string", format: "colour" } })],
    ["several types", object({ a: { type: ["string", "null"] } })],
    ["schemas as data", object({ a: { enum: [{ $ref: "https://example.org" }] } })],
  ])("%s", async (_, schema) => {
    expect(await checkSchema(schema, "parameters")).toEqual([]);
  });
});

describe("a schema's fault is named with its path", () => {
  it.each<[string, JsonObject, string, RegExp]>([
    ["another type at the root", { type: "array" }, "parameters.type", /"object"/],
    ["a type list at the root", { type: ["object"] }, "parameters.type", /"object"/],
    [
      "a type that doesn't exist",
      object({ city: { type: "strin" } }),
      "parameters.properties.city.type",
      /one of/,
    ],
    [
      "a bound that is no number",
      object({ a: { minLength: "3" } }),
      "parameters.properties.a.minLength",
      /integer/,
    ],
    ["a schema that is a number", object({ a: 5 }), "parameters.properties.a", /object/],
    ["properties that are a list", { type: "object", properties: [] }, "parameters.properties", /object/],
    [
      "draft 4",
      { $schema: "http://json-schema.org/draft-04/schema#", type: "object" },
      "parameters.$schema",
      /2019-09 or 7/,
    ],
    ["a draft that is no text", { $schema: 7, type: "object" }, "parameters.$schema", /2019-09 or 7/],
    [
      "a remote reference",
      object({ a: { $ref: "https://x.test/s" } }),
      "parameters.properties.a.$ref",
      /never loaded/,
    ],
    [
      "a reference to a file",
      object({ a: { $ref: "file:///etc/passwd" } }),
      "parameters.properties.a.$ref",
      /never/,
    ],
    [
      "a relative reference",
      object({ a: { $ref: "other.json" } }),
      "parameters.properties.a.$ref",
      /never loaded/,
    ],
    [
      "a dynamic remote one",
      object({ a: { $dynamicRef: "x.json" } }),
      "parameters.properties.a.$dynamicRef",
      /never/,
    ],
    [
      "a name of a book's length",
      { type: "object", $id: "a".repeat(501) },
      "parameters.$id",
      /longer than 500/,
    ],
    ["a draft inside", object({ a: { $schema: DRAFT_7 } }), "parameters.properties.a.$schema", /one draft/],
    ["an asynchronous schema", { type: "object", $async: true }, "parameters.$async", /not a keyword/],
    [
      "half of a surrogate pair as a property",
      object({ "a\ud800": { type: "string" } }),
      "parameters.properties.a\ufffd",
      /^must not contain lone surrogates$/,
    ],
    [
      "half of a surrogate pair in a pattern of names",
      object({}, { patternProperties: { "\udc00": { type: "string" } } }),
      "parameters.patternProperties.\ufffd",
      /^must not contain lone surrogates$/,
    ],
    [
      "a reference whose escapes are none",
      object({ a: { $ref: "#/$defs/%zz" } }),
      "parameters.properties.a.$ref",
      /^has a % that begins no escape/,
    ],
    [
      "__proto__ as a property",
      parse('{"type":"object","properties":{"__proto__":{}}}'),
      "parameters.properties.__proto__",
      /usable/,
    ],
    [
      "__proto__ as a keyword",
      parse('{"type":"object","__proto__":{"a":1}}'),
      "parameters.__proto__",
      /usable/,
    ],
    ["2019's recursion", { type: "object", $recursiveRef: "#" }, "parameters.$recursiveRef", /\$ref/],
    ["a division by zero", object({ a: { multipleOf: 0 } }), "parameters.properties.a.multipleOf", /> 0/],
    [
      "too many levels",
      parse(`{"type":"object","default":${nest(SCHEMA_DEPTH_MAX, "1")}}`),
      "parameters",
      /deeper/,
    ],
    ["100,000 levels", parse(`{"type":"object","default":${nest(100_000, "1")}}`), "parameters", /deeper/],
    ["too many values", object(many(SCHEMA_NODES_MAX, "p")), "parameters", /more than/],
    ["too many bytes", { type: "object", description: "é".repeat(40_000) }, "parameters", /64 KiB/],
  ])("%s", async (_, schema, path, message) => {
    const faults = await checkSchema(schema, "parameters");
    expect(faults[0]).toEqual({ path, message: expect.stringMatching(message) });
  });

  it("every fault is named, not only the first", async () => {
    const faults = await checkSchema(
      object({ a: { minLength: "x" }, b: { enum: 1 }, c: { type: "x" } }),
      "parameters",
    );
    expect(faults.map(({ path }) => path)).toContain("parameters.properties.c.type");
    const others = await checkSchema(object({ a: { minLength: "x" }, b: { enum: 1 } }), "parameters");
    expect(others.map(({ path }) => path).sort()).toEqual([
      "parameters.properties.a.minLength",
      "parameters.properties.b.enum",
    ]);
  });
});

const order = object(
  {
    city: { type: "string", minLength: 1 },
    unit: { enum: ["metric", "imperial"] },
    items: { type: "array", items: object({ name: { type: "string" } }, { required: ["name"] }) },
    "a/b~c": { type: "integer" },
    at: { type: "string", format: "date-time" },
  },
  { required: ["city"], additionalProperties: false },
);

describe("arguments are checked, and a fault is named at the place to mend", () => {
  it.each<[string, JsonObject, string[]]>([
    ["good ones", { city: "Oslo", unit: "metric", items: [{ name: "x" }] }, []],
    ["a property that is missing", {}, ["arguments.city is required"]],
    ["one too many", { city: "Oslo", town: 1 }, ["arguments.town is not allowed"]],
    ["a wrong type", { city: 5 }, ["arguments.city must be string"]],
    [
      "a wrong type in a list",
      { city: "O", items: [{ name: 1 }] },
      ["arguments.items.0.name must be string"],
    ],
    ["one missing in a list", { city: "O", items: [{}] }, ["arguments.items.0.name is required"]],
    [
      "a value outside the list",
      { city: "O", unit: "x" },
      ['arguments.unit must be one of "metric", "imperial"'],
    ],
    ["a name with slashes", { city: "O", "a/b~c": "x" }, ["arguments.a/b~c must be integer"]],
    ["a wrong format", { city: "O", at: "now" }, ['arguments.at must match format "date-time"']],
    [
      "several at once",
      { city: 1, unit: 2 },
      ["arguments.city must be string", 'arguments.unit must be one of "metric", "imperial"'],
    ],
    [
      "a name that every object inherits",
      { city: "O", constructor: 1 },
      ["arguments.constructor is not allowed"],
    ],
    ["__proto__", parse('{"city":"O","__proto__":{"polluted":1}}'), ["arguments.__proto__ is not allowed"]],
  ])("%s", async (_, value, expected) => {
    const faults = await checkArguments("order", order, value);
    expect(faults.map(({ path, message }) => `${path} ${message}`)).toEqual(expected);
    expect("polluted" in {}).toBe(false);
  });

  it("what every object inherits doesn't count as given", async () => {
    const schema = object({ toString: { type: "string" } }, { required: ["constructor", "toString"] });
    const faults = await checkArguments("inherited", schema, {});
    expect(faults.map(({ path }) => path)).toEqual(["arguments.constructor", "arguments.toString"]);
  });

  it("nothing is converted, filled in or taken away", async () => {
    const schema = object({ n: { type: "number", default: 1 } }, { additionalProperties: true });
    const value = { n: "1", other: 2 };
    expect(await checkArguments("untouched", schema, value)).toHaveLength(1);
    expect(await checkArguments("untouched", schema, {})).toEqual([]);
    expect(value).toEqual({ n: "1", other: 2 });
  });

  it("two tools whose schemas bear the same name don't meet", async () => {
    const named = (type: string): JsonObject => object({ a: { type } }, { $id: "https://example.org/same" });
    expect(await checkArguments("same-1", named("string"), { a: "x" })).toEqual([]);
    expect(await checkArguments("same-2", named("integer"), { a: 1 })).toEqual([]);
    expect(await checkArguments("same-1", named("string"), { a: 1 })).toHaveLength(1);
  });

  it("a schema that was never let through is refused, not trusted", async () => {
    const faults = await checkArguments("remote", object({ a: { $ref: "https://x.test" } }), {});
    expect(faults.map(({ path }) => path)).toEqual(["parameters.properties.a.$ref"]);
    const broken = await checkArguments("broken", object({ a: { enum: "x" } }), {});
    expect(broken.map(({ path }) => path)).toEqual(["parameters"]);
  });
});

describe("hostile arguments are answered", () => {
  it("at the bound of depth, and one level past it", async () => {
    const at = parse(nest(VALUE_DEPTH_MAX, "1"));
    const past = parse(nest(VALUE_DEPTH_MAX + 1, "1"));
    expect(await checkArguments("any", { type: "object" }, at)).toEqual([]);
    expect(await checkArguments("any", { type: "object" }, past)).toEqual([
      { path: "arguments", message: expect.stringMatching(/deeper than 64/) },
    ]);
  });

  it("a million levels", async () => {
    const value = parse(`{"a":${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}}`);
    const faults = await checkArguments("any", { type: "object" }, value);
    expect(faults[0]?.message).toMatch(/deeper/);
  });

  it("a number that JSON can't say again", async () => {
    for (const a of [{ type: "number" }, { type: "integer" }, { type: "number", multipleOf: 1 }])
      expect(await checkArguments(JSON.stringify(a), object({ a }), parse('{"a":1e400}'))).toHaveLength(1);
  });

  it("a flood of faults is cut off at the bound, and its texts stay short", async () => {
    const schema = object({ a: { type: "array", items: { enum: ["x".repeat(1_000)] } } });
    const a = Array.from({ length: 500 }, () => 1);
    const faults = await checkArguments("flood", schema, { a });
    expect(faults).toHaveLength(FAULTS_MAX);
    expect(JSON.stringify(faults).length).toBeLessThan(10_000);
  });
});

describe("a result", () => {
  it("may be of any type, and its schema need not be an object's", async () => {
    const usable = [{}, { type: "array" }, { type: ["string", "null"] }, { $id: "https://example.org/o" }];
    for (const schema of usable) expect(await checkSchema(schema, "outputSchema")).toEqual([]);
    expect(await checkResult("r1", { type: "array", items: { type: "number" } }, [1, 2])).toEqual([]);
    expect(await checkResult("r2", { enum: [null] }, null)).toEqual([]);
  });

  it("has its faults under the names of a result and its schema", async () => {
    const schema = { type: "array", items: { type: "object", required: ["n"] } };
    expect(await checkResult("r3", schema, [{ n: 1 }, {}])).toEqual([
      { path: "result.1.n", message: "is required" },
    ]);
    expect(await checkResult("r4", { type: "string" }, 1)).toEqual([
      { path: "result", message: "must be string" },
    ]);
    const [deep] = await checkResult("r5", {}, parse(nest(VALUE_DEPTH_MAX + 1, "1")));
    expect(deep).toEqual({ path: "result", message: expect.stringMatching(/deeper/) });
  });

  it.each<[string, JsonObject, string]>([
    ["an unknown type", { type: "strin" }, "outputSchema.type"],
    ["a reference out of it", { $ref: "https://example.org" }, "outputSchema.$ref"],
    ["an unknown draft", { $schema: "https://example.org" }, "outputSchema.$schema"],
    ["a wrong keyword", { minLength: "x" }, "outputSchema.minLength"],
  ])("can't be checked by a schema with %s", async (_, schema, path) => {
    expect((await checkSchema(schema, "outputSchema"))[0]?.path).toBe(path);
  });
});
