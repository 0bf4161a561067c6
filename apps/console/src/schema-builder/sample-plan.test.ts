import { expect, test } from "vitest";
import { lackedBy, planOf, sampleFault, schemaFrom } from "./sample-plan.ts";

const CURRENT = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: {
    city: { type: "string", description: "Where", enum: ["Kiel"] },
    days: { type: "integer", minimum: 1 },
    unit: { $ref: "#/$defs/unit" },
    gone: { type: "string" },
  },
  required: ["gone"],
  $defs: { unit: {} },
};
const SAMPLE = { days: "three", city: "Kiel", unit: 1, hours: [1.5] };
const OPTIONS = { kind: "parameters", keepsOthers: false } as const;

test("what the author wrote stays where the example agrees with it", () => {
  const next = schemaFrom(CURRENT, SAMPLE, OPTIONS);
  expect(JSON.stringify(next)).toBe(
    JSON.stringify({
      $schema: CURRENT.$schema,
      type: "object",
      properties: {
        city: CURRENT.properties.city,
        days: { type: "string" },
        unit: CURRENT.properties.unit,
        hours: { type: "array", items: { type: "number" } },
      },
      $defs: { unit: {} },
      required: ["hours"],
    }),
  );
  expect(planOf(CURRENT, next)).toEqual([
    { name: "city", becomes: "kept" },
    { name: "days", becomes: "changed" },
    { name: "unit", becomes: "kept" },
    { name: "hours", becomes: "new" },
    { name: "gone", becomes: "removed" },
  ]);
  expect(lackedBy(CURRENT, SAMPLE)).toBe(1);
});

test("fields that the example lacks stay where that is wanted", () => {
  const next = schemaFrom(CURRENT, { city: "Kiel" }, { ...OPTIONS, keepsOthers: true });
  expect(next).toBe(CURRENT);
});

test("several examples of arguments are one schema", () => {
  expect(schemaFrom({}, [{ a: 1 }, { a: 2, b: "x" }], OPTIONS)).toEqual({
    type: "object",
    properties: { a: { type: "integer" }, b: { type: "string" } },
    required: ["a"],
  });
  expect(schemaFrom({}, [{ a: 1 }], { ...OPTIONS, kind: "output" })).toMatchObject({ type: "array" });
});

test("arguments are objects, a result is anything", () => {
  expect(sampleFault([1], "parameters")).toContain("one object");
  expect(sampleFault([], "parameters")).toContain("one object");
  expect(sampleFault([{}], "parameters")).toBeUndefined();
  expect(sampleFault(1, "output")).toBeUndefined();
});
