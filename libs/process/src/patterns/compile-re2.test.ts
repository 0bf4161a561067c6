import { expect, test } from "vitest";
import { compileRe2 } from "./compile-re2.ts";

test.each([
  [String.raw`^\p{Letter}+$`, "größe", "größe1"],
  [String.raw`^\p{gc=Lu}$`, "Ä", "ä"],
  [String.raw`^\p{Script=Greek}$`, "λ", "l"],
  [String.raw`^[\p{ASCII}é]+$`, "café", "cafè"],
  [String.raw`^\P{Number}$`, "x", "5"],
  [String.raw`^\d{3}$`, "123", "12"],
  ["^(a+)+$", "a".repeat(50_000), `${"a".repeat(50_000)}b`],
])("%s is run as JavaScript means it, in linear time", (source, matching, other) => {
  const compiled = compileRe2(source);
  expect([compiled?.test(matching), compiled?.test(other)]).toEqual([true, false]);
});

test.each(["(?=a)b", String.raw`(a)\1`, "a{2000}", "(", "[", String.raw`\p{Nothing}`])(
  "%s has no counterpart",
  (source) => {
    expect(compileRe2(source)).toBeNull();
  },
);
