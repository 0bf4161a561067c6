import { describe, expect, it } from "vitest";
import {
  CODE_BYTES_MAX,
  CODE_DEPTH_MAX,
  CODE_FAULTS_MAX,
  CODE_NESTING_MAX,
  FAULT_MESSAGE_LENGTH_MAX,
} from "./bounds.ts";
import { checkCode } from "./check-code.ts";

describe("code that compiles has no fault", () => {
  it.each([
    ["nothing", ""],
    ["a return", "return 1;"],
    ["await at the top", "const r = await fetch('https://x.test'); return r.status;"],
    ["for await", "for await (const x of []) console.log(x);"],
    ["a last line that is a comment", "return 1; // done"],
    ["own names for the globals", "const args = 1; let input = 2; return args + input;"],
    ["a function declared twice, as function bodies allow", "function f() {} function f() {} return f();"],
    ["new.target", "return new.target;"],
    ["import and export as names of properties", "return { import: 1, export: 2 }.import;"],
    ["the word import in a string", 'return "import x from y";'],
    ["Windows line ends", "const a = 1;\r\nreturn a;\r\n"],
    [
      "the newest syntax",
      "const o = { a: 1n }; o.b ??= /(?<y>\\d)/v; class A { static #p = 1; static { A.#p; } }",
    ],
    ["a chain of operators at the bound", `return ${"a+".repeat(CODE_DEPTH_MAX - 4)}a;`],
    ["nesting at the bound", `return ${"[".repeat(CODE_NESTING_MAX)}${"]".repeat(CODE_NESTING_MAX)}`],
  ])("%s", (_, code) => {
    expect(checkCode(code)).toEqual([]);
  });
});

describe("a fault is told with its line and column in the tool's own text", () => {
  it.each([
    ["a missing expression on the first line", "let x = ;", 1, 9, /Unexpected token/],
    ["one on the third line", "const a = 1;\n\n  return a b;", 3, 12, /Unexpected token/],
    ["after a Windows line end", "const a = 1;\r\nreturn ];", 2, 8, /Unexpected token/],
    ["a block that is not closed", "if (true) {\n  foo();", 2, 9, /Unexpected end of the code/],
    ["a string that is not closed", 'return "abc', 1, 8, /Unterminated string/],
    ["a comment that is not closed", "return 1;\n/* abc", 2, 1, /Unterminated comment/],
    ["a brace too many", "return 1;\n}", 2, 1, /closes a block that is not open/],
    [
      "a body that closes the function and opens another",
      "} evil(); {",
      1,
      1,
      /closes a block that is not open/,
    ],
    [
      "a second function behind the first",
      "}\nasync function x() {",
      1,
      1,
      /closes a block that is not open/,
    ],
    ["export", "const a = 1;\nexport { a };", 2, 1, /export is not available/],
    ["export default", "export default 1;", 1, 1, /export is not available/],
    ["an export of nothing", "export {};", 1, 1, /export is not available/],
    ["a hashbang", "#!/usr/bin/env node\nreturn 1;", 1, 1, /leave the #! line out/],
    ["an HTML comment", "<!-- hidden\nreturn 1;", 1, 1, /Unexpected token/],
    ["an HTML comment's end", "return 1;\n--> hidden", 2, 3, /Unexpected token/],
    ["an octal literal", "return 010;", 1, 8, /Invalid number/],
    ["a name declared twice", "let a;\nlet a;", 2, 5, /already been declared/],
    ["a broken regular expression", "return /(/;", 1, 9, /Invalid regular expression/],
    ["super", "super.x;", 1, 1, /super/],
  ])("%s", (_, code, line, column, message) => {
    const faults = checkCode(code);
    expect(faults).toEqual([{ line, column, message: expect.stringMatching(message), rule: "syntax" }]);
  });
});

describe("hostile text ends in a fault, not in a crash", () => {
  const many = 30_000;
  it.each([
    ["more bytes than allowed", "x".repeat(CODE_BYTES_MAX + 1), /larger than 256 KiB/],
    ["more bytes than allowed, in few characters", "é".repeat(CODE_BYTES_MAX / 2 + 1), /larger than 256 KiB/],
    ["brackets past the bound", "[".repeat(CODE_NESTING_MAX + 1), /nested deeper than 200/],
    ["a flood of brackets", "[".repeat(many), /nested deeper/],
    ["a flood of template holes", "`${".repeat(many), /nested deeper/],
    ["a flood of operators", `return ${"!".repeat(many)}1`, /nested too deeply/],
    ["a flood of arrows", `return ${"a=>".repeat(many)}1`, /nested deeper than 300/],
    ["a flood of branches", "if(1)".repeat(many) + ";", /nested too deeply/],
    ["a long chain of operators", `return ${"a+".repeat(CODE_DEPTH_MAX)}1`, /nested too deeply/],
    ["a flood of members", `return a${".a".repeat(many)}`, /nested too deeply/],
    ["a flood of calls", `return a${"()".repeat(many)}`, /nested too deeply/],
    // Which comes first depends on the thread's stack.
    [
      "a flood of else",
      `if (a);${"else if (a);".repeat(20_000)}`,
      /nested too deeply|more than 80000 tokens/,
    ],
    [
      "a flood of names",
      `let a0${Array.from({ length: 20_000 }, (_, n) => `,a${n + 1}`).join("")};`,
      /too many names/,
    ],
    [
      "names hoisted through a flood of loops",
      `${"for(;;)".repeat(250)}{${"var a;".repeat(20_000)}}`,
      /too many names/,
    ],
    ["a flood of named groups", `/${"(?<a>)|".repeat(2_000)}/;`, /too many groups/],
    ["a flood of nested groups", `/${"(".repeat(8_000)}${")".repeat(8_000)}/;`, /too many groups/],
    ["a fault in a huge pattern", `/${"a".repeat(16_000)}(/;`, /Invalid regular expression.*…/],
    [
      "a huge name declared twice",
      `let ${"a".repeat(90_000)}; let ${"a".repeat(90_000)};`,
      /already been declared/,
    ],
    ["only a brace", "}", /closes a block/],
    ["zero bytes", "\0\0\0", /Unexpected character/],
    ["a lone surrogate", "return \uD800", /Unexpected character/],
  ])("%s", (_, code, message) => {
    const faults = checkCode(code);
    expect(faults).toHaveLength(1);
    expect(faults[0]?.message).toMatch(message);
    expect(faults[0]?.message.length).toBeLessThanOrEqual(FAULT_MESSAGE_LENGTH_MAX + 1);
  });
});

describe("the number of faults is bounded, and they come in the order of the text", () => {
  it.each([
    ["of one kind", "process;\n".repeat(20_000)],
    ["of many kinds", "this.eval; a.__proto__; a.constructor(); import('x'); global;\n".repeat(3_000)],
    ["in one chain", `a${".constructor".repeat(1_000)};`],
  ])("%s", (_, code) => {
    const faults = checkCode(code);
    expect(faults).toHaveLength(CODE_FAULTS_MAX);
    const places = faults.map(({ line, column }) => line * 1e6 + column);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(faults[0]?.line).toBe(1);
  });
});
