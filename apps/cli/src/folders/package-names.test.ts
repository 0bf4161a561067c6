import { expect, test } from "vitest";
import { withToolNames } from "./package-names.ts";

const edited = (text: string): string | undefined =>
  withToolNames(text, "/package.js")?.replace(/\n\/\/# sourceMappingURL=.*/, "");

test.each([
  ["x.constructor.name", "x[toolKeys.made].name"],
  ["x?.constructor", "x?.[toolKeys.made]"],
  ["(x).constructor", "(x)[toolKeys.made]"],
  ["x.constructor.constructor", "x[toolKeys.made][toolKeys.made]"],
  ['x["constructor"]', "x[toolKeys.made]"],
  ["x.__proto__ = y", "x[toolKeys.under] = y"],
  ["({ constructor: C } = x)", "({ [toolKeys.made]: C } = x)"],
])("a package's %s is written by another name of the key", (text, expected) => {
  expect(edited(text)).toBe(expected);
});

test.each([
  ["typeof process", "var process = undefined; typeof process"],
  ["'use strict'; globalThis.x", "var globalThis = toolGlobal; 'use strict'; globalThis.x"],
  ["Function('return this')()", "var Function = toolFunction; Function('return this')()"],
])("what looks for its surroundings (%s) finds a tool's", (text, expected) => {
  expect(edited(text)).toBe(expected);
});

test.each([
  "class A { constructor() { super(); } }",
  "const text = 'of the global process';",
  "import process from 'process/browser'; process.nextTick();",
  "function global() {} global();",
])("%s stays as it is", (text) => {
  expect(edited(text)).toBeUndefined();
});
