import { describe, expect, it } from "vitest";
import {
  CODE_LOOKUPS_MAX,
  CODE_SCOPES_MAX,
  CODE_TOKENS_MAX,
  REGEXPS_LENGTH_MAX,
  REGEXPS_SETS_MAX,
  REGEXPS_STRING_SETS_MAX,
  REGEXPS_V_LENGTH_MAX,
  REGEXP_LENGTH_MAX,
} from "./bounds.ts";
import { checkCode } from "./check-code.ts";

const many = (count: number, one: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => one(at)).join("");
const SETS = `more than ${REGEXPS_SETS_MAX} properties and set operations`;
const TOKENS = `more than ${CODE_TOKENS_MAX} tokens`;
const LOOKUPS = `more than ${CODE_LOOKUPS_MAX} look-ups`;
const SCOPES = `nested deeper than ${CODE_SCOPES_MAX}`;

describe("code that costs too much is refused where it passes a bound, which the fault names", () => {
  it.each([
    [
      "a flood of properties",
      `x=/${"\\p{L}".repeat(52_000)}/u`,
      `longer than ${REGEXP_LENGTH_MAX} characters`,
    ],
    ["properties in one pattern", `x=/${"\\p{L}".repeat(REGEXPS_SETS_MAX + 1)}/u`, SETS],
    ["negated properties", `x=/${"\\P{L}".repeat(REGEXPS_SETS_MAX + 1)}/u`, SETS],
    ["properties of scripts", `x=/${"\\p{scx=Zyyy}".repeat(REGEXPS_SETS_MAX + 1)}/u`, SETS],
    ["properties in many patterns", `x=[${"/\\p{L}/u,".repeat(REGEXPS_SETS_MAX + 1)}]`, SETS],
    ["properties in a class of sets", `x=/[${"\\p{L}".repeat(REGEXPS_SETS_MAX + 1)}]/v`, SETS],
    ["intersections", `x=/[a${"&&a".repeat(REGEXPS_SETS_MAX + 1)}]/v`, SETS],
    ["differences", `x=/[a${"--a".repeat(REGEXPS_SETS_MAX + 1)}]/v`, SETS],
    [
      "properties of emoji",
      `x=/[${"\\p{RGI_Emoji}".repeat(REGEXPS_STRING_SETS_MAX + 1)}]/v`,
      `more than ${REGEXPS_STRING_SETS_MAX} properties of emoji texts`,
    ],
    [
      "a class of sets with very many characters",
      `x=/[${many(REGEXPS_V_LENGTH_MAX, (at) => String.fromCodePoint(0x4e00 + 2 * at))}]/vi`,
      `flag v are longer than ${REGEXPS_V_LENGTH_MAX} characters`,
    ],
    [
      "many long patterns",
      `x=[${`/${"a".repeat(REGEXP_LENGTH_MAX)}/,`.repeat(5)}]`,
      `longer than ${REGEXPS_LENGTH_MAX} characters together`,
    ],
    ["properties of an object", `({${"a,".repeat(125_000)}})`, TOKENS],
    ["a flood of statements", "a;".repeat(125_000), TOKENS],
    ["an empty statement often", ";".repeat(200_000), TOKENS],
    ["a wide pattern in many", `${"[".repeat(180)}${"a,".repeat(20_000)}${"]=x".repeat(180)}`, LOOKUPS],
    ["labels in labels", `${many(1_500, (at) => `a${at}:`)};`, LOOKUPS],
    [
      "breaks in many labels",
      `${many(100, (at) => `a${at}:`)}for(;;){${"break a0;".repeat(20_000)}}`,
      LOOKUPS,
    ],
    [
      "private names of no class",
      `${"class A{m(){".repeat(95)}${"a.#a;".repeat(15_000)}${"}}".repeat(95)}`,
      LOOKUPS,
    ],
    ["names in a flood of loops", `${"for(;;)".repeat(1_900)}{${"process;".repeat(20_000)}}`, SCOPES],
  ])("%s", (_, code, bound) => {
    expect(checkCode(code)).toEqual([
      {
        line: 1,
        column: expect.any(Number),
        rule: "syntax",
        message: expect.stringContaining(bound),
      },
    ]);
  });
});

describe("code at the bounds is fine", () => {
  it.each([
    ["properties", `x=/${"\\p{L}".repeat(REGEXPS_SETS_MAX)}/u`],
    ["emoji", `x=/[${"\\p{RGI_Emoji}".repeat(REGEXPS_STRING_SETS_MAX)}]/v`],
    ["a long pattern", `x=/${"a".repeat(REGEXP_LENGTH_MAX)}/`],
    ["many patterns", `x=[${"/[a-z]+@[a-z]+/i,".repeat(4_000)}]`],
    ["an object with many properties", `return {${many(15_000, (at) => `k${at}:1,`)}}`],
    ["an array with many numbers", `return [${"1,".repeat(35_000)}]`],
    ["hyphens in plain patterns", `x=/${"-".repeat(400)}/`],
    ["private names", `class A{${many(5_000, (at) => `#a${at};`)}}`],
    ["loops in loops", `${"for(;;)".repeat(CODE_SCOPES_MAX - 10)};`],
  ])("%s", (_, code) => {
    expect(checkCode(code)).toEqual([]);
  });
});
