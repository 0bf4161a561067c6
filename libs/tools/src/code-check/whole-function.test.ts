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
    ["a list that names the default", "function f(args) { return args.n + 1 }\nexport { f as default };"],
    ["a list of one", "const f = async ({ n }) => n + 1\nexport { f }"],
    ["main of a list", "export { a, main };\nfunction a() {}\nfunction main(args) { return args.n + 1; }"],
    ["a default beside a list", "const one = 1;\nexport { one };\nexport default (args) => args.n + one;"],
    ["module.exports", "module.exports = async (args) => args.n + 1;"],
    ["a name on exports", "function main(args) { return args.n + 1 }\nexports.handler = main;"],
    ["a short name on exports", "exports.a = (args) => args.n + 1"],
  ])("%s", async (_what, code) => {
    expect(await resultOf(code)).toBe(21);
  });
});

describe("the value of a call of the code's own at its end is returned:", () => {
  it.each([
    ["an arrow in brackets", "(async () => {\n  return args.n + 1;\n})();"],
    ["a function in brackets", "'use strict';\n(function () { return args.n + 1 }).call(null) // so"],
    ["a function called from within", "(async function () { return args.n + 1 }());"],
    ["main", "async function main() { return args.n + 1; }\nmain();"],
    ["main, awaited, behind a comment", "const main = async () => args.n + 1\n// now\nawait main()\n;"],
    ["main, above it", "main().catch(console.error);\n\nasync function main() { return args.n + 1; }"],
    [
      "main, with its promise handed on",
      "async function main() { return args.n }\nmain().then((n) => n + 1)",
    ],
    ["main, that nobody waits for", "async function main() { return args.n + 1 }\nvoid main();"],
    [
      "a function behind statements",
      "let n = 0;\nfor (const m of [args.n, 1]) n += m;\nconst get = () => n;\nget()",
    ],
    [
      "a method of a class",
      "class Tool { async execute({ n }) { return n + 1; } }\nawait new Tool().execute(args);",
    ],
    ["a static method", "class Tool { static run = ({ n }) => n + 1 }\nTool.run(args)"],
    [
      "a method of what it made",
      "class Tool { run({ n }) { return n + 1 } }\nconst tool = new Tool();\ntool.run(args)",
    ],
    ["a method of a literal", "const tool = { run: async ({ n }) => n + 1 };\ntool.run(args);"],
    [
      "one in which others return",
      "const one = () => { return 1 };\n[1].map(function (a) { return a });\n(() => args.n + one())()",
    ],
  ])("%s", async (_what, code) => {
    expect(await resultOf(code)).toBe(21);
  });

  it.each([
    ["an own return", "if (args.n) return 1;\nasync function main() {}\nmain();"],
    ["a return in a loop", "for (;;) { try { switch (1) { case 1: return 1 } } finally {} }\n(() => 1)();"],
    ["a function of others", "const list = [];\nlist.push(1);"],
    ["a literal's method that is none of it", "const list = { run: 1 };\nlist.run();"],
    ["a class's method that only what is made of it has", "class A { run() {} }\nA.run();"],
    ["a generator", "function* all() { yield 1 }\nall();"],
    ["a statement behind it", "(() => 1)();\nif (args.n) emit(1);"],
  ])("not with %s", (_what, code) => {
    expect(inspectCode(code)).toMatchObject({ runs: null, uncalled: null, unreturned: null, faults: [] });
  });

  it.each([
    ["one line", "(() => process.pid)()", 1, 8],
    ["a line below", "const a = 1;\n(() => process.pid)()", 2, 8],
    ["behind what is taken away", "function f(a) {}\nvoid f(process.pid)", 2, 8],
  ])("places are those of what was written: %s", (_what, code, line, column) => {
    expect(checkCode(inspectCode(code).runs ?? "")).toMatchObject([{ line, column, rule: "process" }]);
  });
});

it.each([
  ["a sum", "args.n + 1;", 1],
  ["a variable", "const n = args.n;\nn", 2],
  ["a function that is not called, behind statements", "console.log(1);\n(args) => args.n", 2],
  ["a request", "const url = 'https://a.example';\nawait api.rest({ url });", 2],
  ["a list made of another", "args.list.map((n) => n + 1)", 1],
  ["what may be missing", "args.list?.length", 1],
  ["a template", "`${args.n}`", 1],
])("%s at the end that nobody takes is told with its place", (_what, code, line) => {
  expect(inspectCode(code)).toMatchObject({ runs: null, unreturned: { line, column: 1 }, faults: [] });
});

it.each([
  "console.log(1)",
  "emit({ n: 1 })",
  "total = 1",
  "await new Promise((done) => setTimeout(done, 1))",
  "await pending",
  "for (const a of [1]) a;",
  "await utils.callTool('other')",
  "args.ok && stop()",
  "(await fetch('x')).body.cancel()",
  "return args.n;\nargs.n",
])("what is there for what it does is not: %s", (code) => {
  expect(inspectCode(code)).toMatchObject({ runs: null, unreturned: null });
});

it.each([
  ["class Tool { async execute(args) {} }", "return new Tool().execute(args);"],
  ["const Tool = class { static run() {} }", "return Tool.run(args);"],
  [
    "const config = { a: 1 };\nconst tool = { name: 't', handler: async () => config };",
    "return tool.handler(args);",
  ],
  ["function help() {}\nclass Tool { main() { help(); } }", "return new Tool().main(args);"],
  ["function other() {}\nclass Tool { run() {} }", "return new Tool().run(args);"],
  ["module.exports = { run: async (args) => args.n };", "export one (module.exports = async (args) => …)"],
  ["class Tool { run() {} }\nexports.tool = Tool;", "export one (module.exports = async (args) => …)"],
])("%s, of which nothing would run, is refused with what to do", (code, advice) => {
  const { runs, uncalled } = inspectCode(code);
  expect([runs, uncalled?.rule]).toEqual([null, "uncalled"]);
  expect(uncalled?.message).toContain(advice);
});

it.each([
  ["a body", "return args.n;"],
  ["a body with functions", "function one() { return 1; }\nreturn one();"],
  ["declarations alone", "const a = 1;\nclass B { help() {} }\nconst c = { run: 1 };"],
  ["functions that use each other", "function a() { b(); }\nfunction b() { a(); }"],
  ["one that is used", "const one = () => console.log(1);\nconst two = one();"],
  ["a generator that is asked", "function* main() { yield 1; }\nreturn [...main()];"],
  ["exports of its own", "const exports = {};\nexports.a = args.n;\nreturn exports;"],
  ["nothing", ""],
])("%s runs as it is", (_what, code) => {
  expect(inspectCode(code)).toMatchObject({ runs: null, uncalled: null, faults: [] });
});

it.each([
  ["a value", "export default { run() {} };"],
  ["a class", "export default class {}"],
  ["several functions", "export function a() {}\nexport function b() {}"],
  ["everything of another", "export * from 'x';"],
  ["a name of another", "export { run as default } from 'x';"],
  ["a class by a list", "class Tool { run() {} }\nexport { Tool as default };"],
  ["a name that nothing has, in a list", "export { missing };"],
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
