import { expect, test } from "vitest";
import {
  addField,
  duplicateField,
  fieldsIn,
  freeName,
  hasOwnPlace,
  moveField,
  nameFault,
  removeField,
  renameField,
  setField,
  setRequired,
} from "./fields.ts";

const NODE = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  "x-first": 1,
  properties: { city: { type: "string" }, days: true, unit: { $ref: "#/$defs/unit" } },
  type: "object",
  required: ["city", "unit"],
  dependentRequired: { city: ["unit"], days: ["city"] },
  $defs: { unit: { enum: ["C", "F"] } },
} as const;

const text = (value: unknown): string => JSON.stringify(value);

test("fields come as they stand, whatever their schema is", () => {
  expect(fieldsIn(NODE)).toEqual([
    { name: "city", schema: { type: "string" }, isRequired: true },
    { name: "days", schema: true, isRequired: false },
    { name: "unit", schema: { $ref: "#/$defs/unit" }, isRequired: true },
  ]);
});

test("a field that is renamed keeps its place, and whatever names it names it still", () => {
  const { properties, required, dependentRequired, ...others } = renameField(NODE, "city", "town");
  expect(text(properties)).toBe(text({ town: NODE.properties.city, days: true, unit: NODE.properties.unit }));
  expect(required).toEqual(["town", "unit"]);
  expect(dependentRequired).toEqual({ town: ["unit"], days: ["town"] });
  const { properties: _p, required: _r, dependentRequired: _d, ...before } = NODE;
  expect(text(others)).toBe(text(before));
  expect(text(renameField(renameField(NODE, "city", "town"), "town", "city"))).toBe(text(NODE));
});

test("a field that is removed leaves nothing behind that asks for it", () => {
  expect(text(removeField(NODE, "city"))).toBe(
    text({
      ...NODE,
      properties: { days: true, unit: NODE.properties.unit },
      required: ["unit"],
      dependentRequired: undefined,
    }),
  );
});

test("whether it is required changes that alone", () => {
  expect(text(setRequired(NODE, "days", true))).toBe(text({ ...NODE, required: ["city", "unit", "days"] }));
  const none = setRequired({ properties: { a: true }, required: ["a"] }, "a", false);
  expect(none).toEqual({ properties: { a: true } });
});

test("what says nothing yet becomes an object's schema by its first field", () => {
  expect(text(addField({ title: "T" }, "a", {}))).toBe('{"type":"object","title":"T","properties":{"a":{}}}');
  expect(text(addField({ properties: {} }, "a", {}))).toBe('{"properties":{"a":{}}}');
});

test("a copy stands behind its field under a name of its own", () => {
  const once = duplicateField(NODE, "city");
  const twice = duplicateField(once.node, "city");
  expect([once.name, twice.name]).toEqual(["city_copy", "city_copy_2"]);
  expect(fieldsIn(twice.node).map(({ name, isRequired }) => [name, isRequired])).toEqual([
    ["city", true],
    ["city_copy_2", true],
    ["city_copy", true],
    ["days", false],
    ["unit", true],
  ]);
});

test("a field moves among its neighbours, and not beyond them", () => {
  const names = (from: number, to: number): string[] =>
    fieldsIn(moveField(NODE, from, to)).map(({ name }) => name);
  expect(names(0, 2)).toEqual(["days", "unit", "city"]);
  expect(names(2, 0)).toEqual(["unit", "city", "days"]);
  expect(moveField(NODE, 2, 3)).toBe(NODE);
  expect(moveField(NODE, 0, -1)).toBe(NODE);
});

test("names that can't be used are refused with words, hostile ones are names like others", () => {
  expect(nameFault(NODE, "city", "city")).toBeUndefined();
  expect(nameFault(NODE, "city", "days")).toBe("Another field has this name.");
  expect(nameFault(NODE, "city", "")).toBe("A field needs a name.");
  expect(nameFault(NODE, "city", "__proto__")).toBe("This name can't be used.");
  expect(nameFault(NODE, "city", "\ud800")).toBe("This name can't be used.");
  expect(nameFault(NODE, "city", "constructor")).toBeUndefined();
  expect(freeName(NODE, "toString")).toBe("toString");
});

test("a field of any name can be changed", () => {
  const node: Record<string, unknown> = JSON.parse(
    '{"properties":{"__proto__":{"type":"string"},"constructor":true}}',
  );
  const next = setField(node, "__proto__", { type: "number" });
  expect(text(next)).toBe('{"properties":{"__proto__":{"type":"number"},"constructor":true}}');
  expect(text(renameField(next, "__proto__", "a"))).toBe(
    '{"properties":{"a":{"type":"number"},"constructor":true}}',
  );
});

test("names that are whole numbers have no place of their own", () => {
  expect(["0", "12", "4294967294", "01", "-1", "1.5", "4294967295", "a"].map(hasOwnPlace)).toEqual([
    false,
    false,
    false,
    true,
    true,
    true,
    true,
    true,
  ]);
});
