import { expect, test } from "vitest";
import { ARGUMENT_TEXT_CHARS_MAX, matchArguments, matchesGlob } from "./argument-pattern.ts";

test.each([
  ["git *", "git status", true],
  ["git *", "git ", true],
  ["git *", "git", false],
  ["git *", "not git status", false],
  ["git", "git", true],
  ["git", "git status", false],
  ["*", "", true],
  ["*", "anything\nat all", true],
  ["*.md", "notes.md", true],
  ["*.md", "notes.md.exe", false],
  ["a*b*c", "aXbYc", true],
  ["a*b*c", "acb", false],
  ["a*aa", "aa", false],
  ["ab*ba", "aba", false],
  ["*aab*", "aaaab", true],
  ["*abab*ab*", "abababab", true],
  ["*abab*ab*", "ababa", false],
  ["**", "x", true],
  ["git .+", "git status", false],
])("%s for %j: %j", (pattern, text, matches) => {
  expect(matchesGlob(pattern, text)).toBe(matches);
});

test("a star pattern agrees with the regular expression that it stands for", () => {
  const letters = ["a", "b", "*"];
  const words = (length: number): string[] =>
    length === 0 ? [""] : words(length - 1).flatMap((word) => letters.map((letter) => word + letter));
  const texts = words(5).filter((text) => !text.includes("*"));
  for (const pattern of words(4)) {
    const regexp = new RegExp(`^${pattern.replaceAll("*", ".*")}$`);
    for (const text of texts)
      expect(matchesGlob(pattern, text), `${pattern} ${text}`).toBe(regexp.test(text));
  }
});

test("an argument is found by its JSON pointer, and by own properties alone", () => {
  const args = { command: "git push", nested: { "a/b~c": ["zero", { deep: true }] }, n: 7 };
  const at = (argument: string | null, pattern: string) => matchArguments({ argument, pattern }, args);
  expect(at("/command", "git *")).toBe("match");
  expect(at("/nested/a~1b~0c/0", "zero")).toBe("match");
  expect(at("/nested/a~1b~0c/1", '{"deep":true}')).toBe("match");
  expect(at("/n", "7")).toBe("match");
  for (const missing of [
    "/missing",
    "/nested/a~1b~0c/length",
    "/constructor",
    "/command/0",
    "/nested/a~1b~0c/9",
  ])
    expect(at(missing, "*"), missing).toBe("no_match");
});

test("without a pointer the arguments are JSON with sorted keys", () => {
  const said = { argument: null, pattern: '{"a":1,"b":*}' };
  expect(matchArguments(said, { b: 2, a: 1 })).toBe("match");
  expect(matchArguments(said, { b: 2, a: 2 })).toBe("no_match");
});

test("a text over the bound is not looked at", () => {
  const text = "x".repeat(ARGUMENT_TEXT_CHARS_MAX);
  expect(matchArguments({ argument: "/t", pattern: "*" }, { t: text })).toBe("match");
  expect(matchArguments({ argument: "/t", pattern: "*" }, { t: `${text}x` })).toBe("too_long");
});
