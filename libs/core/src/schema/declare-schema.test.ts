import { describe, expect, test } from "vitest";
import type { JsonObject } from "../json/json.ts";
import { declareTool } from "./declare-schema.ts";

const CHARS_MAX = 4_000;
const declared = (parameters: JsonObject, description = "", outputSchema: JsonObject | null = null) =>
  declareTool({ name: "tool", description, parameters, outputSchema }, CHARS_MAX);
const one = (schema: JsonObject) => {
  const [, type] =
    /\n {2}a: ([^]*);\n}\)/.exec(declared({ type: "object", properties: { a: schema }, required: ["a"] })) ??
    [];
  return type;
};

test("a tool is a function of one object, with what is optional and what it is for", () => {
  const parameters = {
    type: "object",
    properties: {
      city: { type: "string", description: "City name" },
      days: { type: "integer" },
      "max-wind": { type: ["number", "null"] },
    },
    required: ["city"],
  };
  expect(declared(parameters, "Fetch current weather", { type: "array", items: { type: "string" } })).toBe(
    `/** Fetch current weather */
declare function tool(args: {
  /** City name */
  city: string;
  days?: number;
  "max-wind"?: number | null;
}): Promise<Array<string>>;`,
  );
});

test.each<[JsonObject, string]>([
  [{ enum: ["a", 1, null] }, '"a" | 1 | null'],
  [{ const: true }, "true"],
  [{ anyOf: [{ type: "string" }, { type: "null" }] }, "(string | null)"],
  [{ allOf: [{ type: "string" }, {}] }, "(string & unknown)"],
  [{ type: "array", items: { type: "boolean" } }, "Array<boolean>"],
  [{ type: "array" }, "Array<unknown>"],
  [{ type: "object", additionalProperties: { type: "number" } }, "Record<string, number>"],
  [{ type: "object", additionalProperties: false }, "{}"],
  [{ $ref: "#/$defs/nowhere" }, "unknown"],
  [{ $ref: "https://example.com" }, "unknown"],
  [{ type: "fish" }, "unknown"],
])("%j is told as %s", (schema, type) => {
  expect(one(schema)).toBe(type);
});

test("references are followed within the schema", () => {
  const parameters = {
    type: "object",
    properties: { a: { $ref: "#/$defs/x~1y" }, b: { $ref: "Bundled" }, c: { $ref: "#c", nullable: true } },
    $defs: {
      "x/y": { type: "string" },
      z: { $id: "Bundled", items: { $ref: "#/$defs/n" }, type: "array", $defs: { n: { type: "null" } } },
      c: { $anchor: "c", type: "boolean" },
    },
  };
  const told = declared(parameters);
  for (const line of ["a?: string;", "b?: Array<null>;", "c?: boolean | null;"]) expect(told).toContain(line);
});

test("what is nullable may be null", () => {
  expect(one({ type: "string", nullable: true })).toBe("string | null");
  expect(one({ type: ["string", "null"], nullable: true })).toBe("string | null");
  expect(one({ enum: ["a"], nullable: false })).toBe('"a"');
});

describe("whatever the schema holds, the declaration stays short and in one piece:", () => {
  const self = { type: "object", properties: { a: { $ref: "#" }, b: { $ref: "#" } } };
  const wide = Object.fromEntries(
    Array.from({ length: 3_000 }, (_, n) => [`property_${n}`, { type: "string" }]),
  );
  let deep: JsonObject = { type: "string" };
  for (let depth = 0; depth < 5_000; depth += 1) deep = { type: "object", properties: { a: deep } };
  const doubling: JsonObject = { type: "object", properties: {}, $defs: {} };
  for (let n = 0; n < 40; n += 1) {
    const next = { $ref: `#/$defs/d${n + 1}` };
    (doubling["$defs"] as JsonObject)[`d${n}`] = {
      anyOf: [next, { type: "object", properties: { x: next, y: next } }],
    };
  }
  doubling["properties"] = { a: { $ref: "#/$defs/d0" } };

  test.each<[string, JsonObject]>([
    ["one that holds itself", self],
    ["thousands of properties", { type: "object", properties: wide }],
    ["thousands of levels", deep],
    ["references that double", doubling],
    [
      "an enum of thousands",
      { type: "object", properties: { a: { enum: Array.from({ length: 9_000 }, (_, n) => `v${n}`) } } },
    ],
  ])("%s", (_name, schema) => {
    const text = declared(schema);
    expect(text.length).toBeLessThanOrEqual(CHARS_MAX);
    expect(text).toMatch(/Promise<unknown>;$/);
  });

  test("text that tries to end a comment or a string", () => {
    const text = declared(
      { type: "object", properties: { 'a"b': { type: "string", description: "x */ evil(); /*" } } },
      "ends */ evil()",
    );
    expect(text.match(/\*\//g)).toHaveLength(2);
    expect(text).toContain('"a\\"b"?: string;');
  });
});

test("a long enum is told by the kinds of all its values", () => {
  const values = Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? `v${n}` : n));
  expect(one({ enum: [...values, null] })).toMatch(/^string \| number \| null \/\* one of 41, as in/);
});
