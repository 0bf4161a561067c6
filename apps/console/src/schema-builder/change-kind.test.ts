import { expect, test } from "vitest";
import { changeKind } from "./change-kind.ts";
import { kindOf } from "./field-kinds.ts";

test.each([
  [{ type: "string", minLength: 1 }, "text"],
  [{ type: ["string", "null"] }, "text"],
  [{ type: "string", enum: ["a"] }, "choice"],
  [{ enum: [1, 2] }, "choice"],
  [{ enum: ["a", null] }, "other"],
  [{ enum: "a" }, "other"],
  [{ type: "integer" }, "integer"],
  [{ type: "array" }, "list"],
  [{ items: {} }, "list"],
  [{ type: "object", oneOf: [] }, "object"],
  [{ properties: {} }, "object"],
  [{ type: "object", properties: [] }, "other"],
  [{ type: "object", required: "all" }, "other"],
  [{}, "any"],
  [{ description: "D", "x-a": 1 }, "any"],
  [{ $ref: "#/$defs/a", type: "string" }, "other"],
  [{ anyOf: [] }, "other"],
  [{ const: 1 }, "other"],
  [{ type: ["string", "number"] }, "other"],
  [{ type: ["null", "null"] }, "other"],
  [{ type: "null" }, "other"],
  [{ type: 5 }, "other"],
  [true, "other"],
  [false, "other"],
  [null, "other"],
  [[], "other"],
] as const)("%j shows as %s", (schema, kind) => expect(kindOf(schema)).toBe(kind));

const text = (value: unknown): string => JSON.stringify(value);

test.each([
  [
    "what describes it stays in its place, the old bounds go",
    { description: "D", type: "string", minLength: 1, "x-a": [1], default: "a", examples: ["b", 2] },
    "number",
    { description: "D", type: "number", "x-a": [1], examples: [2] },
    ["minLength", "default"],
  ],
  [
    "numbers keep their bounds",
    { type: "number", minimum: 1 },
    "integer",
    { type: "integer", minimum: 1 },
    [],
  ],
  ["null stays allowed", { type: ["null", "string"] }, "boolean", { type: ["boolean", "null"] }, []],
  [
    "a list is one of what it was",
    { type: "string", description: "D", minLength: 2, default: "ab" },
    "list",
    { type: "array", description: "D", items: { type: "string", minLength: 2 } },
    ["default"],
  ],
  [
    "a list of what can't be shown holds that",
    { description: "D", $ref: "#/$defs/a" },
    "list",
    { type: "array", description: "D", items: { $ref: "#/$defs/a" } },
    [],
  ],
  [
    "what its items were comes back",
    { type: "array", description: "D", items: { type: "string", minLength: 2 }, minItems: 1 },
    "text",
    { type: "string", description: "D", minLength: 2 },
    ["minItems"],
  ],
  [
    "a choice begins with what is known",
    { type: "string", default: "a", examples: ["a", "b"], pattern: "x" },
    "choice",
    { type: "string", default: "a", examples: ["a", "b"], enum: ["a", "b"] },
    ["pattern"],
  ],
  ["a choice among numbers is of numbers", { type: "integer" }, "choice", { type: "integer", enum: [1] }, []],
  [
    "a choice begins with something",
    { type: "boolean" },
    "choice",
    { type: "string", enum: ["option_1"] },
    [],
  ],
  ["a choice becomes text", { type: "string", enum: ["a"] }, "text", { type: "string" }, ["enum"]],
  [
    "anything has no type",
    { type: "object", title: "T", properties: {}, required: [] },
    "any",
    { title: "T" },
    ["properties", "required"],
  ],
  ["a union goes", { anyOf: [{}], "x-a": 1 }, "text", { type: "string", "x-a": 1 }, ["anyOf"]],
  ["a boolean schema goes", false, "text", { type: "string" }, []],
] as const)("%s", (_words, before, kind, after, dropped) => {
  const changed = changeKind(before, kind);
  expect(text(changed.schema)).toBe(text(after));
  expect(changed.dropped).toEqual(dropped);
});
