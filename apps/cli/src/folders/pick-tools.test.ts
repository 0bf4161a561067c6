import { expect, test } from "vitest";
import type { Described } from "./describe-module.ts";
import { type Choice, pickTools } from "./pick-tools.ts";

const EXPORTS: Described[] = [
  { export: "add", kind: "function", schema: {} },
  { export: "addSchema", kind: "schema" },
  { export: "helper", kind: "function" },
  { export: "named", kind: "execute", settings: { name: "itsName" }, schema: {} },
  { export: "VERSION", kind: "other", type: "string" },
  { export: "all", member: "inRecord", kind: "execute", schema: {} },
  { export: "all", member: "wrong", kind: "other", type: "number" },
  { export: "listed", member: 0, kind: "execute", settings: { name: "first" } },
];

const picked = (choice: Choice, exports = EXPORTS) => {
  const { picked: tools, faults } = pickTools(exports, choice);
  return {
    names: tools.map(({ name }) => name),
    faults: faults.map(({ code, export: name, severity }) => [severity ?? "error", code, name]),
  };
};

test("every tool of a module is one, and what is none is told", () => {
  expect(picked({ from: "all" })).toEqual({
    names: ["add", "itsName", "inRecord", "first"],
    faults: [
      ["error", "schema.missing", "helper"],
      ["warning", "export.not_a_tool", "VERSION"],
      ["warning", "export.not_a_tool", 'all["wrong"]'],
    ],
  });
});

test("a list of names shows these alone, by the names of exports or of tools", () => {
  const names = ["add", "itsName", "inRecord", "helper", "addSchema", "VERSION", "gone"];
  expect(picked({ from: "named", names })).toEqual({
    names: ["add", "itsName", "inRecord"],
    faults: [
      ["error", "schema.missing", "helper"],
      ["error", "export.not_a_tool", "addSchema"],
      ["error", "export.not_a_tool", "VERSION"],
      ["error", "export.missing", "gone"],
    ],
  });
});

test("an export of a package is taken whole, or by names", () => {
  expect(picked({ from: "export", export: "all", names: undefined }).names).toEqual(["inRecord"]);
  expect(picked({ from: "export", export: "listed", names: ["first"] }).names).toEqual(["first"]);
  expect(picked({ from: "export", export: "gone", names: undefined }).faults).toEqual([
    ["error", "export.missing", "gone"],
  ]);
});

test("definitions have an id and a method that runs", () => {
  const exports: Described[] = [
    { export: "aToolDefinition", kind: "run", id: "workflow-a" },
    { export: "bToolDefinition", kind: "run" },
    { export: "cToolDefinition", kind: "other", type: "object" },
    { export: "helper", kind: "function" },
  ];
  expect(picked({ from: "definitions" }, exports)).toEqual({
    names: ["workflow-a"],
    faults: [
      ["error", "export.not_a_tool", "bToolDefinition"],
      ["error", "export.not_a_tool", "cToolDefinition"],
    ],
  });
  expect(picked({ from: "definitions" }, [])).toEqual({
    names: [],
    faults: [["error", "export.missing", null]],
  });
});

test.each([
  [["default", "other"], "default"],
  [["other", "run"], "run"],
  [["only"], "only"],
  [["one", "two"], undefined],
])("of the functions %j, a folder with a manifest runs %s", (names, expected) => {
  const exports = names.map((name): Described => ({ export: name, kind: "function" }));
  const { names: found, faults } = picked({ from: "main" }, exports);
  expect(found).toEqual(expected === undefined ? [] : [expected]);
  expect(faults).toEqual(expected === undefined ? [["error", "export.missing", null]] : []);
});
