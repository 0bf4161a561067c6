import type { ToolFolder } from "@bulkhead/client";
import { expect, test } from "vitest";
import type { ToolRecord } from "../folders/loaded-folder.ts";
import { folderOfRecord, toolDiff } from "./tool-diff.ts";

const folder = (code: string, manifest: object = {}, more: object = {}): ToolFolder => ({
  "manifest.json": { name: "greet", description: "d", ...manifest },
  "tool.js": code,
  ...more,
});

test("code is compared by lines, and of manifests what the server would change", () => {
  const theirs = folder("const a = 1;\nreturn a;\n", { idempotent: false, description: "theirs" });
  const mine = folder("const a = 2;\nreturn a;\n", { description: "mine" });
  expect(toolDiff("greet", theirs, mine, ["code", "description"])).toEqual([
    "--- server/greet/manifest.json",
    "+++ folder/greet/manifest.json",
    "@@ -1,3 +1,3 @@",
    " {",
    '-  "description": "theirs"',
    '+  "description": "mine"',
    " }",
    "--- server/greet/tool.js",
    "+++ folder/greet/tool.js",
    "@@ -1,2 +1,2 @@",
    "-const a = 1;",
    "+const a = 2;",
    " return a;",
  ]);
});

test("a tool that one side lacks is shown whole, and another language as another file", () => {
  const made = toolDiff("greet", null, folder("return 1;"), undefined);
  expect(made.filter((line) => /^(---|\+\+\+)/.test(line))).toEqual([
    "--- /dev/null",
    "+++ folder/greet/manifest.json",
    "--- /dev/null",
    "+++ folder/greet/tool.js",
  ]);
  const typed = { ...folder("", {}, { "tool.ts": "return 1 as number;" }), "tool.js": undefined } as never;
  const files = toolDiff("greet", folder("return 1;"), typed, ["code", "language"]);
  expect(files).toContain("+++ /dev/null");
  expect(made.slice(-4)).toEqual([
    "--- /dev/null",
    "+++ folder/greet/tool.js",
    "@@ -0,0 +1,1 @@",
    "+return 1;",
  ]);
  expect(files.slice(0, 4)).toEqual([
    "--- server/greet/tool.js",
    "+++ /dev/null",
    "@@ -1,1 +0,0 @@",
    "-return 1;",
  ]);
  expect(files).toContain("+++ folder/greet/tool.ts");
});

test("the end of a last line is a difference", () => {
  expect(toolDiff("greet", folder("return 1;"), folder("return 1;\n"), ["code"])).toHaveLength(5);
});

test("README, examples and approval code of a record are files", () => {
  const metadata = {
    team: "a",
    package: { readme: "# One", examples: { "a.json": { arguments: {} } }, name: "Greet" },
  };
  const record = {
    name: "greet",
    description: "d",
    parameters: {},
    code: "return 1;",
    approvalCode: "return args.n > 1;",
    metadata,
  } as ToolRecord;
  expect(folderOfRecord(record)).toEqual({
    "manifest.json": {
      name: "greet",
      description: "d",
      parameters: {},
      metadata: { team: "a", package: { name: "Greet" } },
    },
    "tool.js": "return 1;",
    "approval.js": "return args.n > 1;",
    "README.md": "# One",
    examples: { "a.json": { arguments: {} } },
  });
});
