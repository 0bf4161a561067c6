import { expect, test } from "vitest";
import { filesOfTools, inParts, toolFolders } from "./tool-folders.ts";

const file = (path: string, text = "return 1;") => ({ path, text });

test("each folder with a manifest is a tool, however deep it lies", () => {
  const { folders, faults } = toolFolders([
    file("mine/tools/add/manifest.json", `{"description":"adds"}`),
    file("mine/tools/add/tool.js"),
    file("mine/tools/add/examples/basic.json", `{"arguments":{}}`),
    file("mine/wait/manifest.json", "{}"),
  ]);
  expect(faults).toEqual([]);
  expect(folders).toEqual({
    wait: { "manifest.json": {} },
    add: {
      "manifest.json": { description: "adds" },
      "tool.js": "return 1;",
      examples: { "basic.json": { arguments: {} } },
    },
  });
});

test("a manifest among a tool's own files makes no second tool", () => {
  const { folders } = toolFolders([
    file("add/manifest.json", "{}"),
    file("add/examples/manifest.json", "{}"),
  ]);
  expect(Object.keys(folders)).toEqual(["add"]);
});

test.each([
  ["a manifest without a folder", [file("manifest.json", "{}")], "Drop the tool's folder"],
  [
    "two folders of one name",
    [file("a/x/manifest.json", "{}"), file("b/x/manifest.json", "{}")],
    "same name",
  ],
  ["a manifest that is no JSON", [file("x/manifest.json", "{,}")], "JSON"],
])("%s is a fault", (_what, files, words) => {
  expect(toolFolders(files).faults).toEqual([
    { path: expect.any(String), message: expect.stringContaining(words) },
  ]);
});

test("what belongs to no tool, and what systems leave behind, is not read", () => {
  const files = [
    "readme.md",
    "x/manifest.json",
    "x/tool.js",
    "x/.git/config",
    "x/node_modules/y/manifest.json",
  ];
  expect(filesOfTools(files.map((path) => file(path))).map(({ path }) => path)).toEqual([
    "x/manifest.json",
    "x/tool.js",
  ]);
});

test("many folders go in parts, and a large one goes alone", () => {
  const small = Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`t${n}`, { "tool.js": "" }]));
  expect(inParts(small).map((part) => Object.keys(part).length)).toEqual([1_000, 1]);
  const large = { a: { "tool.js": "x".repeat(900_000) }, b: { "tool.js": "" } };
  expect(inParts(large).map((part) => Object.keys(part))).toEqual([["a"], ["b"]]);
});
