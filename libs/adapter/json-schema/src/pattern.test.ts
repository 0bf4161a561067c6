import { describe, expect, it } from "vitest";
import { PATTERN_CHARS_MAX } from "./bounds.ts";
import { compilePattern } from "./pattern.ts";

function matches(source: string, text: string): boolean | "refused" {
  const pattern = compilePattern(source);
  return pattern.outcome === "compiled" ? pattern.test(text) : "refused";
}

describe("a pattern matches as JavaScript's does", () => {
  it.each([
    ["^[a-z]{2,3}$", "abc", "abcd"],
    ["b", "abc", "ac"],
    ["^\\d{3}-\\d{4}$", "555-1234", "5551234"],
    ["^\\u00e9+$", "éé", "e"],
    ["^\\p{L}+$", "Ærø", "a1"],
    ["^(?<year>\\d{4})/x$", "2026/x", "26/x"],
    ["^a.c$", "abc", "a\nc"],
    ["^[^]$", "\n", ""],
    ["a$", "ba", "a\n"],
  ])("%s", (source, yes, no) => {
    expect([matches(source, yes), matches(source, no)]).toEqual([true, false]);
    expect([new RegExp(source, "u").test(yes), new RegExp(source, "u").test(no)]).toEqual([true, false]);
  });
});

describe("what can't be matched in linear time is refused", () => {
  it.each([
    ["lookahead", "^(?=a)b"],
    ["negative lookahead", "^(?!a)b"],
    ["lookbehind", "(?<=a)b"],
    ["a back-reference", "(a)\\1"],
    ["a repetition above 1000", "a{1001}"],
    ["nested repetitions above 1000 together", "((a{100}){100}){100}"],
    ["deep nesting", "(".repeat(499) + ")".repeat(499) + "\\1"],
  ])("%s", (_, source) => {
    expect(compilePattern(source)).toMatchObject({
      outcome: "refused",
      message: expect.stringMatching(/linear time/),
    });
  });

  it("and so is what is no regular expression, or a very long one", () => {
    expect(compilePattern("(")).toMatchObject({
      outcome: "refused",
      message: expect.stringMatching(/not a regular/),
    });
    expect(compilePattern("a".repeat(PATTERN_CHARS_MAX + 1))).toMatchObject({
      message: expect.stringMatching(/longer than/),
    });
  });
});
