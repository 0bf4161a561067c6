import { compileFunction } from "node:vm";
import { describe, expect, it } from "vitest";
import { checkCode, inspectCode } from "./check-code.ts";

/** What the code answers with the arguments {n: 20} and the context {call: 1}, as the body of an async function. */
async function resultOf(code: string): Promise<unknown> {
  const { runs } = inspectCode(code);
  if (runs === null) throw new Error("it is no whole function");
  expect(checkCode(runs)).toEqual([]);
  const body = `return (async () => {"use strict";\n${runs}\n})()`;
  return compileFunction(body, ["args", "context"])({ n: 20 }, { call: 1 });
}

describe("a whole function is called with the arguments and the context", () => {
  it.each([
    ["an arrow", "async (args) => args.n + 1"],
    ["an arrow with a block and a semicolon", "async ({ n }, { call }) => {\n  return n + call;\n};"],
    ["one in brackets", "(async function (args) { return args.n + 1; });"],
    [
      "one behind a directive, comments and blank lines",
      "'use strict';\n// it counts\n\n(args) => args.n + 1 // so\n",
    ],
    [
      "one behind what it uses",
      "const one = 1\nfunction add(a) { return a + one; }\nasync ({ n }) => add(n)",
    ],
    [
      "a function without a name",
      "/* it */ async function (args) {\n  return args.n + 1;\n}; // so".replace(" // so", ""),
    ],
    ["a declaration", "function main(args) { return args.n + 1; }"],
    ["one by any name", "async function anything({ n }) { return n + 1; }"],
    ["one that calls itself", "function up(args, c, d = 1) { return d ? up(args, c, 0) : args.n + 1; }"],
    ["an arrow that has a name", "const run = async ({ n }) => n + 1;"],
    [
      "one with helpers",
      "const API = new Map([[1, 1]]);\nconst one = () => API.get(1);\nasync function get(a) { return a.n + one(); }",
    ],
    ["main among others", "function other() {}\nasync function main(args) { return args.n + 1; }"],
    [
      "main whose name a helper has, too",
      "async function main(args) { return args.n + 1 }\nfunction wipe() { const main = 2; return main }",
    ],
    [
      "main whose name is a helper's parameter",
      "async function main(args) { return args.n + 1 }\nfunction wipe(main) { return 2 }",
    ],
    ["a default export", "export default async function handler(args) { return args.n + 1; }"],
    ["one without a name", "export default async function (args) { return args.n + 1 }"],
    ["an arrow as one", "export default async (args) => {\n  return one + args.n;\n};\nconst one = 1;"],
    ["an arrow in brackets as one", "export default (async (args) => args.n + 1);"],
    ["a name as one", "const main = async (args) => args.n + 1;\nexport default main;"],
    [
      "one beside other exports",
      "export const config = { a: 1 };\nexport default (args) => args.n + config.a;",
    ],
    ["the only export", "function one() { return 1; }\nexport const run = (args) => args.n + one();"],
    ["main among exports", "export function a() {}\nexport function main(args) { return args.n + 1; }"],
    ["module.exports", "module.exports = async (args) => args.n + 1;"],
    ["a name on exports", "function main(args) { return args.n + 1 }\nexports.handler = main;"],
    ["a short name on exports", "exports.a = (args) => args.n + 1"],
  ])("%s", async (_what, code) => {
    expect(await resultOf(code)).toBe(21);
  });
});

it.each([
  ["a body", "return args.n;"],
  ["a body with functions", "function one() { return 1; }\nreturn one();"],
  ["a call of one's own", "async function main() {}\nawait main();"],
  ["declarations alone", "const a = 1;\nclass B {}"],
  ["functions that use each other", "function a() { b(); }\nfunction b() { a(); }"],
  ["one that is used", "const one = () => console.log(1);\nconst two = one();"],
  ["a generator that is asked", "function* main() { yield 1; }\nreturn [...main()];"],
  ["a call", "(async () => 1)();"],
  ["statements before an arrow", "console.log(1);\n(args) => args.n"],
  ["nothing", ""],
])("%s runs as it is", (_what, code) => {
  expect(inspectCode(code)).toMatchObject({ runs: null, uncalled: null, faults: [] });
});

it.each([
  ["a value", "export default { run() {} };"],
  ["a class", "export default class {}"],
  ["several functions", "export function a() {}\nexport function b() {}"],
  ["everything of another", "export * from 'x';"],
  ["a name of nothing", "export default missing;"],
])("an export of %s is refused with what to do", (_what, code) => {
  const { runs, faults } = inspectCode(code);
  expect([runs, faults[0]?.message]).toEqual([
    null,
    expect.stringContaining("export one function as the default"),
  ]);
});

it("functions none of which is the one to call are refused with what to do", () => {
  const { runs, uncalled, faults } = inspectCode(
    "const a = 1;\nfunction first() {}\nconst second = () => 1;",
  );
  expect([runs, faults]).toEqual([null, []]);
  expect(uncalled).toEqual({
    line: 2,
    column: 1,
    rule: "uncalled",
    message:
      "The code declares first, second and calls none of them, so nothing would run: end it with return first(args);, or call the one to begin with main.",
  });
});

it.each([
  ["an arrow", "async (args) => process.pid", 1, 17],
  ["a function without a name", "function (args) {\n  return process.pid;\n}", 2, 10],
  ["one behind comments", "// a\n (args) => process.pid", 2, 12],
  ["an export", "export default (args) => process.pid", 1, 26],
  ["a named export", "export const run = () => 1; export default async function f() { process }", 1, 65],
])("places are those of what was written: %s", (_what, code, line, column) => {
  const { runs } = inspectCode(code);
  expect(checkCode(runs ?? "")).toMatchObject([{ line, column, rule: "process" }]);
});

it.each([
  ["closes the call and goes on", "function (a) {}); evil(); (function () {}"],
  ["calls something else", "function (a) {}, evil"],
  ["closes the function around it", "function (a) {} \n)} evil(); async function x() {(function () {}"],
])("what %s is no whole function", (_what, code) => {
  expect(inspectCode(code)).toMatchObject({ runs: null, faults: [{ rule: "syntax" }] });
});

it.each([
  ["function* main() { yield 1; }", "return [...main(args)];"],
  ["async function* pages() { yield 1; }", "return await Array.fromAsync(pages(args));"],
])("%s is refused, with how to ask it for what it makes", (code, advice) => {
  const { runs, uncalled } = inspectCode(code);
  expect(runs).toBeNull();
  expect(uncalled?.rule).toBe("uncalled");
  expect(uncalled?.message).toContain(advice);
});
