import * as fc from "fast-check";
import { expect, test } from "vitest";
import { foldersAbove, isWithin, parseFilePath, parseFolderPath } from "./file-path.ts";

test.each([
  ["notes/today.md", "notes/today.md"],
  ["./a", "a"],
  [".hidden/.x", ".hidden/.x"],
  ["cafe\u0301", "caf\u00e9"],
  ["a b/c (1).txt", "a b/c (1).txt"],
  ["console/lpt.txt/auxiliary", "console/lpt.txt/auxiliary"],
  ["👩‍👩‍👧/ß", "👩‍👩‍👧/ß"],
  ["%2e%2e/x", "%2e%2e/x"],
])("%s is the path %s", (said, path) => {
  expect(parseFilePath(said)).toEqual({ path });
});

test.each([
  ["", "must name a file"],
  ["./", "must name a file"],
  ["..", "must not contain the part .."],
  ["a/../b", "must not contain the part .."],
  ["a/./b", "must not contain the part ."],
  ["././a", "must not contain the part ."],
  ["/etc/passwd", "must be relative to the workspace: without / in front"],
  [".//etc/passwd", "must be relative to the workspace: without / in front"],
  ["a//b", "must not contain an empty part"],
  ["a/", "must not contain an empty part"],
  ["a\\..\\b", "must not contain a backslash; parts are separated by /"],
  ["a\0b", "must not contain control characters"],
  ["a\nb", "must not contain control characters"],
  ["a\u202egpj.exe", "must not contain control characters"],
  ["\ud800", "must not contain lone surrogates"],
  ["a./b", "must not have a part that ends with a dot or a space"],
  ["...", "must not have a part that ends with a dot or a space"],
  ["a /b", "must not have a part that ends with a dot or a space"],
  ["nul", "must not have a part that is the name of a device, such as con or nul"],
  ["x/CON.txt", "must not have a part that is the name of a device, such as con or nul"],
  ["aux .c", "must not have a part that is the name of a device, such as con or nul"],
  ["LPT¹", "must not have a part that is the name of a device, such as con or nul"],
  ["a".repeat(256), "must not have a part of more than 255 bytes"],
  ["ä".repeat(128), "must not have a part of more than 255 bytes"],
  [`${"a/".repeat(32)}a`, "must have 32 parts at most"],
  [`${"a".repeat(250)}/`.repeat(5), "must have 1024 bytes at most"],
  ["a".repeat(1_000_000), "must have 1024 bytes at most"],
])("%j is refused", (said, fault) => {
  expect(parseFilePath(said)).toEqual({ fault });
});

test("a folder may be the root, and may have a slash behind it", () => {
  for (const root of ["", ".", "/", "./"]) expect(parseFolderPath(root)).toEqual({ path: "" });
  expect(parseFolderPath("a/b/")).toEqual({ path: "a/b" });
  expect(parseFolderPath("a//").fault).toBeDefined();
  expect(parseFolderPath("/a").fault).toBeDefined();
});

/** The rules, told another way: what may be left of a text is walked as a file system would, and must come out the same. */
function model(said: string): string | null {
  const path = said.normalize("NFC");
  const names = (path.startsWith("./") ? path.slice(2) : path).split("/");
  const walked: string[] = [];
  for (const name of names) {
    if (name === "" || name === "." || name === "..") return null;
    const device = [
      "con",
      "prn",
      "aux",
      "nul",
      ..."0123456789¹²³".split("").flatMap((n) => [`com${n}`, `lpt${n}`]),
    ];
    if (device.includes((name.split(".", 1)[0] ?? "").trimEnd().toLowerCase())) return null;
    if (name !== name.replace(/[. ]+$/, "") || Buffer.from(name).length > 255) return null;
    walked.push(name);
  }
  const whole = walked.join("/");
  const strange = Array.from(whole).some((letter) => {
    const code = letter.codePointAt(0) ?? 0;
    return code < 32 || (code >= 127 && code < 160) || letter === "\\" || (code >= 0xd800 && code < 0xe000);
  });
  return strange || walked.length > 32 ? null : whole;
}

const letters = fc.constantFrom(
  ...Array.from("ab.. //\\~:*?[]{}%-_ "),
  "é",
  "e\u0301",
  "..",
  "./",
  "con",
  "NUL",
  "\0",
  "\n",
  "\x7f",
  "\ud83d",
  "😀",
  "文",
);

test("[G8] whatever is said, a path is taken as the model takes it, and stays as it is", () => {
  fc.assert(
    fc.property(fc.array(letters, { maxLength: 40 }), (parts) => {
      const said = parts.join("");
      const { path } = parseFilePath(said);
      expect(path ?? null).toBe(model(said));
      if (path === undefined) return;
      expect(parseFilePath(path)).toEqual({ path });
      expect(Buffer.byteLength(path)).toBeLessThanOrEqual(1_024);
      // On a disk it would stay below where it begins.
      expect(new URL(path.split("/").map(encodeURIComponent).join("/"), "file:///w/").pathname).toMatch(
        /^\/w\/./,
      );
    }),
    { numRuns: 3_000 },
  );
});

test("folders above a path are those within which it lies", () => {
  expect(foldersAbove("a/b/c")).toEqual(["a", "a/b"]);
  expect(foldersAbove("a")).toEqual([]);
  expect(isWithin("a", "ab")).toBe(false);
  expect(isWithin("a", "a/b")).toBe(true);
  expect(isWithin("a", "a")).toBe(true);
  expect(isWithin("", "a")).toBe(true);
});
