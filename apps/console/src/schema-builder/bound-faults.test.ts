import { expect, test } from "vitest";
import { boundFaults } from "./bound-faults.ts";

test.each([
  [{ type: "string", minLength: 1, maxLength: 1, pattern: "^a+$", default: "a" }, []],
  [{ type: "string", minLength: 2, maxLength: 1 }, ["maxLength"]],
  [{ type: "string", minLength: -1, maxLength: "9" }, ["minLength", "maxLength"]],
  [{ type: "string", pattern: "(" }, ["pattern"]],
  [{ type: "string", pattern: "a".repeat(1_001) }, ["pattern"]],
  [{ type: "number", minimum: 5, maximum: 1, multipleOf: 0 }, ["maximum", "multipleOf"]],
  [{ type: "integer", default: 1.5 }, ["default"]],
  [{ type: ["integer", "null"], default: null }, []],
  [{ enum: [] }, ["enum"]],
  [{ enum: ["a", "a"] }, ["enum"]],
  [{ enum: ["a", "b"], default: "c" }, ["default"]],
  [{ minItems: 1.5, type: "array" }, ["minItems"]],
  [{ $ref: "#", default: 1 }, []],
])("%j is wrong in %j", (schema, keywords) => {
  expect(Object.keys(boundFaults(schema)).sort()).toEqual([...keywords].sort());
});
