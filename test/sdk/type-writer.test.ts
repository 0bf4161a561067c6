import { expect, test } from "vitest";
import { comment, declare, TypeWriter, type Schema } from "../../libs/sdk/build/type-writer.ts";

const typeOf = (schema: Schema, isSent = false): string => new TypeWriter(isSent).type(schema);

test.each<[Schema, string]>([
  [{}, "unknown"],
  [{ type: "integer" }, "number"],
  [{ type: ["string", "null"] }, "string | null"],
  [{ const: true }, "true"],
  [{ type: "array", items: { enum: ["a", "b"] } }, '("a" | "b")[]'],
  [{ type: "array", items: { anyOf: [{ type: "string" }, { type: "null" }] } }, "(string | null)[]"],
  [{ anyOf: [{ type: "integer" }, { type: "number" }] }, "number"],
  [{ $ref: "#/components/schemas/Tool" }, "Tool"],
  [{ type: "object", additionalProperties: {} }, "Record<string, unknown>"],
  [
    { type: "object", propertyNames: { enum: ["a", "b"] }, additionalProperties: { type: "integer" } },
    'Partial<Record<"a" | "b", number>>',
  ],
])("%j is written as %s", (schema, type) => {
  expect(typeOf(schema)).toBe(type);
});

test("what may be left out may be undefined where it is sent, and only there", () => {
  const schema: Schema = {
    type: "object",
    properties: { a: { type: "string", description: "One */ two." }, "b-c": {} },
    required: ["b-c"],
  };
  expect(typeOf(schema)).toBe('{\n  /** One * / two. */\n  a?: string;\n  "b-c": unknown;\n}');
  expect(typeOf(schema, true)).toContain("a?: string | undefined;");
  expect(declare("A", schema, false)).toMatch(/^export interface A \{/);
  expect(declare("B", { anyOf: [schema, schema] }, false)).toMatch(/^export type B = \{/);
});

test("what it does not know is refused, since a type that says less would be wrong unnoticed", () => {
  expect(() => typeOf({ allOf: [] } as Schema)).toThrow("No type is written for the keyword allOf.");
  expect(() => typeOf({ type: "date" })).toThrow("No type is written for the type date.");
});

test("a long description is broken into lines", () => {
  const lines = comment("word ".repeat(60), "  ").split("\n");
  expect(lines.length).toBeGreaterThan(4);
  expect(lines.every((line) => line.length <= 115)).toBe(true);
});
