import { compileRe2 } from "@bulkhead/process/patterns";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { searchLines } from "./search-lines.ts";
import { readSearchPattern } from "./search-pattern.ts";

const search = (text: string | Uint8Array, pattern: string, ignoresCase = false, limit = 100) =>
  searchLines({
    ...readSearchPattern(pattern, ignoresCase),
    files: [{ path: "a", bytes: Buffer.from(text) }],
    limit,
  });

test("each line that matches is told once, with its place", () => {
  const { matches } = search("one\r\ntwo two\n\nlast two", "two");
  expect(matches).toEqual([
    { path: "a", line: 2, column: 1, text: "two two" },
    { path: "a", line: 4, column: 6, text: "last two" },
  ]);
});

test.each([
  ["^two$", false, [2]],
  ["TWO", true, [2]],
  ["TWO", false, []],
  ["[a-z]{3}", false, [1, 2]],
  ["one|two", false, [1, 2]],
  ["e\\nt", false, []],
])("%s", (pattern, ignoresCase, lines) => {
  expect(search("one\r\ntwo\r\n", pattern, ignoresCase).matches.map(({ line }) => line)).toEqual(lines);
});

test("what is no text is passed over and counted", () => {
  for (const bytes of [Buffer.from([0xff, 0x61]), Buffer.from("a\0")])
    expect(search(bytes, "a")).toEqual({ matches: [], binarySkipped: 1 });
});

test("no more lines than asked for, and of a long one what stands around the match", () => {
  expect(search("a\n".repeat(10), "a", false, 3).matches).toHaveLength(3);
  const [match] = search(`${"x".repeat(5_000)}needle${"y".repeat(5_000)}`, "needle").matches;
  expect(match?.column).toBe(5_001);
  expect(match?.text).toMatch(/^…x{100}needley+…$/);
  expect(match?.text.length).toBe(402);
});

test.each([
  ["foo", "foo"],
  ["a+foo\\d", "foo"],
  ["(foo)+bar", "foo"],
  ["foo?", "fo"],
  ["(?:ab)?cd", "cd"],
  ["\\bword\\b", "word"],
  ["ab|cd", null],
  ["(ab|cd)ef", "ef"],
  [".*", null],
  ["[a]b", null],
  ["\\.\\.x", "..x"],
])("the text that %s needs is %s", (pattern, literal) => {
  expect(readSearchPattern(pattern, false).literal).toBe(literal);
});

const piece = fc.constantFrom(
  "a",
  "b",
  "ab",
  "(ab)+",
  "a?",
  "b*",
  "[ab]",
  "(a|b)",
  "(?:ba){1,2}",
  ".",
  "\\w",
  "(?:b)?",
  "\\b",
);

test("looking for the needed text first finds the same lines", () => {
  fc.assert(
    fc.property(
      fc.array(piece, { minLength: 1, maxLength: 6 }),
      fc.stringMatching(/^[ab \n]{0,40}$/),
      (pieces, text) => {
        const { source } = readSearchPattern(pieces.join(""), false);
        const plain = searchLines({
          source,
          literal: null,
          byBlocks: false,
          files: [{ path: "a", bytes: Buffer.from(text) }],
          limit: 100,
        });
        expect(search(text, pieces.join(""))).toEqual(plain);
      },
    ),
    { numRuns: 1_000 },
  );
});

test.each(["(", "(?=a)", "(a)\\1", "a{2000}", "x".repeat(513), "((a{99}){9}b){9}", ""])(
  "%s is refused",
  (pattern) => {
    expect(() => readSearchPattern(pattern, false)).toThrow(
      expect.objectContaining({ code: "file.pattern_invalid" }),
    );
  },
);

test("a pattern that would backtrack for ever is done in linear time", () => {
  expect(search(`${"a".repeat(20_000)}b`, "^(a+)+$").matches).toEqual([]);
});

test.each([
  ["\\p{Lu}\\p{Lu}", "XY"],
  ["\\pLu", "Xu"],
  ["\\Qa.b\\E", "a.b"],
  ["[[:alpha:]]x", "ax"],
  ["abc😀?", "abc"],
  ["\\x{61}bc", "abc"],
  ["fun\\-c \\{", "fun-c {"],
  ["fun {", "fun {"],
])("%s is found in %s", (pattern, text) => {
  expect(search(text, pattern).matches).toHaveLength(1);
});

test("what is looked at in blocks, or after a text, is found as each line on its own would be", () => {
  const atom = fc.constantFrom(
    ..."a b A \\b ^ $ . \\s \\S \\A \\z \\n [^a] \\pL \\p{Lu} [[:upper:]] (?i) (?s) (?-m) ab \\r \\x41 \\- { } [] ] [^] 😀".split(
      " ",
    ),
  );
  const term = fc
    .tuple(atom, fc.constantFrom("", "", "", "*", "+", "?", "{2}", "|"))
    .map((two) => two.join(""));
  const pattern = fc.array(term, { minLength: 1, maxLength: 5 }).map((terms) => terms.join(""));
  const text = fc
    .array(fc.constantFrom("a", "b", "A", " ", "\n", "\n", "\r\n", "\r", "é", "😀", "-", "{"), {
      maxLength: 30,
    })
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(pattern, fc.array(text, { minLength: 1, maxLength: 3 }), (source, texts) => {
      const re2 = compileRe2(source);
      fc.pre(re2 !== null);
      // Far apart, so that blocks end between them.
      const whole = texts.join(`\n${`${"x".repeat(79)}\n`.repeat(900)}`);
      const lines = whole.split("\n");
      if (lines.at(-1) === "") lines.pop();
      const expected = lines.flatMap((line, n) =>
        re2.matcher(line.endsWith("\r") ? line.slice(0, -1) : line).find() ? [n + 1] : [],
      );
      const found = search(whole, source, false, 10_000).matches.map(({ line }) => line);
      expect(found).toEqual(expected);
    }),
    { numRuns: 100 },
  );
});
