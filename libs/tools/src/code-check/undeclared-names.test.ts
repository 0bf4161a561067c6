import { expect, it } from "vitest";
import { UNDECLARED_NAMES_MAX } from "./bounds.ts";
import { inspectCode } from "./check-code.ts";

const namesOf = (code: string) => inspectCode(code).undeclared.map(({ name }) => name);

it.each([
  ["a forgotten const", "total = 1;\nreturn total;", ["total"]],
  ["a library", "return _.chunk(await axios.get('x'), 2)", ["_", "axios"]],
  ["another runtime's exports", "module.exports = { a: 1 };", ["module"]],
  ["a shorthand", "return { missing };", ["missing"]],
  [
    "what is removed from the language",
    "return new WebAssembly.Module(new SharedArrayBuffer(1))",
    ["WebAssembly", "SharedArrayBuffer"],
  ],
  ["a name once, at its first place", "b(); a(); b();", ["b", "a"]],
])("%s is told", (_what, code, names) => {
  expect(namesOf(code)).toEqual(names);
});

it.each([
  "const total = 1; return total;",
  "return typeof window !== 'undefined' ? window.a : 1;",
  "return [args, input, context, console, utils, api, fetch, Buffer, crypto, new URL('x'), Temporal, Intl, undefined, NaN];",
  "function f(a, { b, c: [d] = [] }, ...e) { return [a, b, d, e, arguments, f]; } return f();",
  "try { x: for (const a of []) { continue x; } } catch (e) { throw e; }",
  "class A { #p; m() { return this.#p; } } return A.name;",
  "const { a: { b } } = args; return { a: b, c() {}, d: (x) => x };",
  "return args.missing.also;",
])("%s names nothing that is not there", (code) => {
  expect(namesOf(code)).toEqual([]);
});

it("each has its place and what there is instead", () => {
  expect(inspectCode("const a = 1;\n  return axios.get(a);").undeclared).toEqual([
    { name: "axios", line: 2, column: 10, instead: "use fetch or api.rest." },
  ]);
});

it("the telling is bounded", () => {
  const code = Array.from({ length: 100 }, (_, n) => `${"n".repeat(500)}${n};`).join("");
  const { undeclared } = inspectCode(code);
  expect(undeclared).toHaveLength(UNDECLARED_NAMES_MAX);
  expect(JSON.stringify(undeclared).length).toBeLessThan(4_000);
});
