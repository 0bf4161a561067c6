import { assert, constantFrom, oneof, property, string, stringMatching, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import { PATTERN_CHARS_MAX } from "./bounds.ts";
import { compilePattern } from "./pattern.ts";

function matches(source: string, text: string): boolean | "refused" | "unchecked" {
  const pattern = compilePattern(source);
  return pattern.outcome === "compiled" ? pattern.test(text) : pattern.outcome;
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

describe("what can't be matched in linear time stays unchecked", () => {
  it.each([
    ["lookahead that may stand anywhere", "(?=a)b"],
    ["lookahead behind what may end at several places", "^a*(?=ab)a"],
    ["lookahead behind what other case may be", "^(?i:A)*a(?=b)"],
    [
      "lookahead that would be written out too long",
      `^(?:${"a|b|".repeat(25)}(?=x))(?:${"a|".repeat(100)}(?=y))z{400}${"q".repeat(400)}`,
    ],
    ["repeated lookahead", "^(?:(?=a)a)+$"],
    ["lookbehind in the middle", "(?<=a)b"],
    ["a back-reference", "(a)\\1"],
    ["a back-reference into a lookahead", "^(?=(a))\\1b"],
    ["a repetition above 1000", "a{1001}"],
    ["nested repetitions above 1000 together", "((a{100}){100}){100}"],
    ["deep nesting", "(".repeat(499) + ")".repeat(499) + "\\1"],
    ["lookahead that would become too many expressions", "^" + "(?:(?=a)a|b)".repeat(20)],
    ["deep nesting of lookahead", "^" + "(?=".repeat(200) + "a" + ")".repeat(200)],
  ])("%s", (_, source) => {
    expect(compilePattern(source)).toMatchObject({
      outcome: "unchecked",
      message: expect.stringMatching(/linear time/),
    });
  });

  it("and so does a very long one", () => {
    expect(compilePattern("a".repeat(PATTERN_CHARS_MAX + 1))).toMatchObject({
      outcome: "unchecked",
      message: expect.stringMatching(/longer than/),
    });
  });
});

describe("what is no regular expression is refused", () => {
  it.each([
    ["(", /not a regular/],
    ["^\\p{Nope}$", /\\p\{…\} with a name/],
    ["\\p{Script=Nope}", /\\p\{…\} with a name/],
  ])("%s", (source, message) => {
    expect(compilePattern(source)).toMatchObject({
      outcome: "refused",
      message: expect.stringMatching(message),
    });
  });
});

/** Lookaround without groups in it. */
const AROUND = /\(\?<?[=!][^()]*\)/g;
const LOOKING = {
  "zod's email": String.raw`^(?!\.)(?!.*\.\.)([A-Za-z0-9_'+\-\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\-]*\.)+[A-Za-z]{2,}$`,
  "zod's hostname": String.raw`^(?=.{1,25}\.?$)[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[-0-9a-zA-Z]{0,61}[0-9a-zA-Z])?)*\.?$`,
  "zod's duration": String.raw`^P(?:(\d+W)|(?!.*W)(?=\d|T\d)(\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+([.,]\d+)?S)?)?)$`,
  "pydantic's Decimal": String.raw`^(?!^[-+.]*$)[+-]?0*\d*\.?\d*$`,
  "a password": String.raw`^(?=.*[a-z])(?=.*\d)[a-z\d-]{3,}$`,
  "an end that looks back": String.raw`^[a-z-]{1,9}(?<!-)(?<!a|^b)$`,
  "one choice of two": String.raw`^(?!-)a|b(?<!ab)$`,
  "a part in which another looks": String.raw`^(?!(?=a)ab)[ab]+$`,
  "behind the only @, with escapes that only older patterns take": String.raw`^[\-\_\.a-z]+@(?!example)`,
  "behind the only T": String.raw`^[^T]*T(?=\d{2})[^-]+$`,
};

describe("a lookahead at one place becomes expressions of its own, with the same value", () => {
  it.each(Object.entries(LOOKING))("%s", (_, source) => {
    const pattern = compilePattern(source);
    if (pattern.outcome !== "compiled") throw new Error(pattern.message);
    const flags = /\\[-_]/.test(source) ? "" : "u";
    const own = new RegExp(source, flags);
    const like = new RegExp(source.replaceAll(AROUND, "").replaceAll(AROUND, ""), flags);
    const near = oneof(
      stringMatching(like),
      string({ unit: constantFrom(...Array.from("ab-.@1P2TDWHMS+0Z")), maxLength: 12 }),
      tuple(stringMatching(like), constantFrom(...Array.from("-.1aWT"))).map(([text, more]) => text + more),
    );
    const seen = new Set<boolean>();
    assert(
      property(near, (text) => {
        seen.add(own.test(text));
        expect(pattern.test(text), text).toBe(own.test(text));
      }),
      { numRuns: 300, seed: 11 },
    );
    expect(seen.size).toBe(2);
  });
});

describe("properties of Unicode have JavaScript's names", () => {
  it.each([
    ["^\\p{Letter}$", "é", "1"],
    ["^[\\p{Lowercase_Letter}\\d]$", "é", "É"],
    ["^\\P{Uppercase_Letter}$", "é", "É"],
    ["^\\p{gc=Nd}$", "٣", "a"],
    ["^\\p{Script=Greek}+$", "αβγ", "abc"],
    ["^(\\p{Extended_Pictographic}|\\p{Emoji_Component})+$", "👩🏽‍🚀", "x"],
    ["^\\p{ASCII}$", "a", "é"],
    ["^\\P{ASCII}$", "é", "a"],
    ["^[\\p{ASCII}ß]$", "ß", "é"],
    ["^\\\\p\\{Letter\\}$", "\\p{Letter}", "a"],
  ])("%s", (source, yes, no) => {
    expect([new RegExp(source, "u").test(yes), new RegExp(source, "u").test(no)]).toEqual([true, false]);
    expect([matches(source, yes), matches(source, no)]).toEqual([true, false]);
  });

  it.each(["ASCII", "Emoji_Component", "Cased_Letter", "Punctuation", "Other_Symbol"])(
    "all of %s",
    (name) => {
      const ours = compilePattern(`^\\p{${name}}$`);
      const own = new RegExp(`^\\p{${name}}$`, "u");
      if (ours.outcome !== "compiled") throw new Error(ours.message);
      for (let code = 0; code < 0x20000; code += 7) {
        const one = String.fromCodePoint(code);
        if (one.isWellFormed()) expect(ours.test(one), code.toString(16)).toBe(own.test(one));
      }
    },
  );
});
