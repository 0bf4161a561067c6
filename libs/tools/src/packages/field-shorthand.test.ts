import type { JsonObject, FaultDetail } from "@bulkhead/core";
import { expect, test } from "vitest";
import { fieldsToSchema } from "./field-shorthand.ts";

function read(fields: JsonObject) {
  const faults: FaultDetail[] = [];
  const schema = fieldsToSchema(fields, "input", faults);
  return { schema, paths: faults.map(({ path }) => path) };
}

test("fields become properties, and required ones are required", () => {
  const { schema, paths } = read({
    category: { type: "string", required: true, description: "What to look for." },
    limit: { type: "number", required: false, default: 10 },
  });
  expect(paths).toEqual([]);
  expect(schema).toEqual({
    type: "object",
    properties: {
      category: { type: "string", description: "What to look for." },
      limit: { type: "number", default: 10 },
    },
    required: ["category"],
  });
});

test("no fields are an object without properties", () => {
  expect(read({}).schema).toEqual({ type: "object", properties: {} });
});

test("fields within fields and within lists are read the same way", () => {
  const { schema } = read({
    address: { type: "object", required: true, properties: { city: { type: "string", required: true } } },
    lines: {
      type: "array",
      items: { type: "object", properties: { price: { type: "number", required: true } } },
    },
    plain: { type: "object", required: ["a"], properties: { a: { type: "string" } } },
  });
  expect(schema).toEqual({
    type: "object",
    required: ["address"],
    properties: {
      address: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
      lines: {
        type: "array",
        items: { type: "object", properties: { price: { type: "number" } }, required: ["price"] },
      },
      plain: { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
    },
  });
});

test("a whole JSON Schema stays itself, and a field may be called type", () => {
  const schema = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
  expect(read(schema).schema).toBe(schema);
  expect(read({ type: { type: "string", required: true } }).schema).toMatchObject({ required: ["type"] });
});

test("each fault has its place", () => {
  const { paths } = read({
    a: { type: "text" },
    b: "string",
    c: { type: "string", required: "yes" },
    d: { type: "array", items: { type: "int" } },
    e: { type: "object", properties: { f: null } },
  });
  expect(paths).toEqual([
    "input.a.type",
    "input.b",
    "input.c.required",
    "input.d.items.type",
    "input.e.properties.f",
  ]);
});
