import * as fc from "fast-check";
import { expect, test } from "vitest";
import { compileGlob } from "./glob.ts";

test.each([
  ["*.md", ["a.md", ".md", ".a.md"], ["a/b.md", "a.mdx", "a.MD"]],
  ["**/*.md", ["a.md", "a/b.md", "a/b/c.md"], ["a.txt"]],
  ["notes/**", ["notes/a", "notes/a/b"], ["notes", "note/a"]],
  ["a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["a/xb", "b"]],
  ["**", ["a", "a/b"], []],
  ["a?c", ["abc", "a😀c"], ["ac", "a/c"]],
  ["[a-c]x", ["ax", "cx"], ["dx", "/x"]],
  ["[!a-c]x", ["dx"], ["ax"]],
  ["[]a]", ["]", "a"], ["b"]],
  ["[abc", ["[abc"], ["a"]],
  ["{a,b/{c,d}}.ts", ["a.ts", "b/c.ts", "b/d.ts"], ["b.ts", "c.ts"]],
  ["{a}", ["{a}"], ["a"]],
  ["a{,b}", ["a", "ab"], ["a,b"]],
  ["[{,}]x", ["{x", ",x", "}x"], ["x"]],
  ["\\*.md", ["*.md"], ["a.md"]],
  ["\\[id].tsx", ["[id].tsx"], ["i.tsx"]],
  ["./a", ["a"], []],
  ["a**b", ["ab", "axb"], ["a/b"]],
])("%s", (pattern, matching, others) => {
  const glob = compileGlob(pattern);
  for (const path of matching) expect([path, glob.matches(path)]).toEqual([path, true]);
  for (const path of others) expect([path, glob.matches(path)]).toEqual([path, false]);
});

test.each([
  ["", "must not be empty"],
  ["a".repeat(513), "must have 512 characters at most"],
  ["{a,b}".repeat(7), "must stand for 64 patterns at most"],
  ["\ud800", "must not contain lone surrogates"],
])("%j is refused", (pattern, message) => {
  expect(() => compileGlob(pattern)).toThrow(
    expect.objectContaining({ code: "file.pattern_invalid", errors: [{ path: "pattern", message }] }),
  );
});

test("the folder is where all lies that can match", () => {
  const folders = ["a/b/*.md", "*.md", "a/**", "a/{b,c}/d", "a/b", "{a/x,a/y}/**", "\\a/b*/c"].map(
    (pattern) => compileGlob(pattern).folder,
  );
  expect(folders).toEqual(["a/b", "", "a", "a", "a", "a", "a"]);
});

/** The same by a regular expression that backtracks; for small patterns. */
function model(parts: readonly string[]): RegExp {
  const source = parts.map((part) => {
    if (part === "**/") return "(?:[^/]+/)*";
    if (part === "*") return "[^/]*";
    if (part === "?") return "[^/]";
    if (part === "[a-b]") return "[a-b]";
    if (part === "[!a]") return "[^/a]";
    if (part === "{a,b/}") return "(?:a|b/)";
    return part;
  });
  return new RegExp(`^${source.join("")}$`, "u");
}

const part = fc.constantFrom("a", "b", "/", "*", "?", "[a-b]", "[!a]", "{a,b/}");
/** `**` stands between slashes alone. */
const pattern = fc
  .array(fc.oneof({ weight: 8, arbitrary: part }, fc.constantFrom("/**/")), { minLength: 1, maxLength: 8 })
  .map((parts) => ["b", ...parts, "a"].flatMap((one) => (one === "/**/" ? ["/", "**/"] : [one])));
const path = fc
  .array(fc.constantFrom("a", "b", "c", "/"), { maxLength: 10 })
  .map((parts) => `b${parts.join("")}a`);

test("a pattern matches what a regular expression of it does", () => {
  fc.assert(
    fc.property(pattern, path, (parts, said) => {
      // No path has an empty part, and two slashes in a pattern match none.
      fc.pre(
        !/\/\/|\*\*\/\//.test(parts.join("")) && !parts.join("").includes("***") && !said.includes("//"),
      );
      expect(compileGlob(parts.join("")).matches(said)).toBe(model(parts).test(said));
    }),
    { numRuns: 5_000 },
  );
});

test("no pattern takes long", () => {
  const glob = compileGlob(`${"*a".repeat(100)}/**/${"**/a*".repeat(20)}b`);
  const name = "a".repeat(255);
  expect(glob.matches(`${name}/${name}/${name}/${name}`)).toBe(false);
});
