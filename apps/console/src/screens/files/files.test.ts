import { expect, test } from "vitest";
import { formOf, languageOf, textOf } from "./file-kinds.ts";
import { rowsOf } from "./file-rows.ts";
import { folderOf, joined, nameOf, readFilesSearch, stepsTo, workspaceOf } from "./files-search.ts";

test("an address tells whose files, where, and what is looked for; what it can't hold is dropped", () => {
  const raw = { agent: "a", user: 7, in: "x/y", tab: "else", q: "", case: "ignored" };
  const search = readFilesSearch(raw);
  expect(search).toEqual({ agent: "a", user: "7", in: "x/y", case: "ignored" });
  expect(workspaceOf(search)).toEqual({ agentId: "a", userId: "7" });
  expect(workspaceOf({})).toEqual({});
});

test("a path is taken apart and put together", () => {
  expect(["a", "a/b", "a/b/c"].map((path) => [folderOf(path), nameOf(path)])).toEqual([
    ["", "a"],
    ["a", "b"],
    ["a/b", "c"],
  ]);
  expect([joined("", "x"), joined("a/b", "x")]).toEqual(["x", "a/b/x"]);
  expect(stepsTo("a/b")).toEqual([
    { name: "a", path: "a" },
    { name: "b", path: "a/b" },
  ]);
  expect(stepsTo("")).toEqual([]);
});

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test.each([
  [
    "notes.md",
    "text/markdown; charset=utf-8",
    bytes("# a"),
    true,
    { kind: "text", text: "# a", isMarkdown: true },
  ],
  ["a.txt", "text/plain", bytes("é").subarray(0, 1), false, { kind: "text", text: "", isMarkdown: false }],
  ["a.txt", "text/plain", bytes("é").subarray(0, 1), true, { kind: "bytes" }],
  ["a.txt", "text/plain", bytes("a\0b"), true, { kind: "bytes" }],
  ["a.png", "image/png", bytes("x"), true, { kind: "picture", type: "image/png" }],
  ["a.png", "image/png", Uint8Array.of(0xff), false, { kind: "bytes" }],
])("%s as %s is shown by what it is", (path, type, content, isWhole, form) => {
  expect(formOf(path, type, content, isWhole)).toEqual(form);
});

test("a mark of the order of bytes stays in the text, so that a save does not lose it", () => {
  expect(textOf(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61), true)).toBe("\ufeffa");
  expect([languageOf("a/b.TS"), languageOf("ts"), languageOf("a.ts/b")]).toEqual([
    "typescript",
    undefined,
    undefined,
  ]);
});

test("folders and files of a page stand by their paths", () => {
  const file = (path: string) => ({ path }) as never;
  const rows = rowsOf([
    { files: [file("a.txt"), file("c")], folders: [{ path: "b", files: 2 }] },
    { files: [], folders: [{ path: "d", files: 1 }] },
  ]);
  expect(rows.map(({ id }) => id)).toEqual(["a.txt", "b/", "c", "d/"]);
});
