import { describe, expect, it } from "vitest";
import { checkCode, CODE_BYTES_MAX, CODE_NESTING_MAX } from "./check-code.ts";

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
    ["import", "import fs from 'node:fs';", 1, 1, /import is not available/],
    [
      "a nested dynamic import",
      "if (1) {\n  await import('node:fs');\n}",
      2,
      9,
      /import\(\) is not available/,
    ],
    ["import.meta", "return import.meta.url;", 1, 8, /import\.meta is not available/],
    ["export", "const a = 1;\nexport { a };", 2, 10, /export is not available/],
    ["export default", "export default 1;", 1, 1, /export is not available/],
    ["the first of several imports", "export {};\nimport 'x';", 1, 1, /export is not available/],
    ["a hashbang", "#!/usr/bin/env node\nreturn 1;", 1, 1, /leave the #! line out/],
    ["an HTML comment", "<!-- hidden\nreturn 1;", 1, 1, /Unexpected token/],
    ["an HTML comment's end", "return 1;\n--> hidden", 2, 3, /Unexpected token/],
    ["with, as the code is strict", "with (args) { }", 1, 1, /'with' in strict mode/],
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
  const many = 40_000;
  it.each([
    ["more bytes than allowed", "x".repeat(CODE_BYTES_MAX + 1), /larger than 256 KiB/],
    ["more bytes than allowed, in few characters", "é".repeat(CODE_BYTES_MAX / 2 + 1), /larger than 256 KiB/],
    ["brackets past the bound", "[".repeat(CODE_NESTING_MAX + 1), /nested deeper than 200/],
    ["a flood of brackets", "[".repeat(many), /nested deeper/],
    ["a flood of template holes", "`${".repeat(many), /nested deeper/],
    ["a flood of operators", `return ${"!".repeat(many)}1`, /nested too deeply/],
    ["a flood of arrows", `return ${"a=>".repeat(many)}1`, /nested too deeply/],
    ["a flood of branches", "if(1)".repeat(many) + ";", /nested too deeply/],
    ["only a brace", "}", /closes a block/],
    ["zero bytes", "\0\0\0", /Unexpected character/],
    ["a lone surrogate", "return \uD800", /Unexpected character/],
  ])("%s", (_, code, message) => {
    const faults = checkCode(code);
    expect(faults).toHaveLength(1);
    expect(faults[0]?.message).toMatch(message);
  });
});
