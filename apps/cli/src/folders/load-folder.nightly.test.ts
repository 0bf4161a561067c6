import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ENTRIES_MAX } from "./bounds.ts";
import { loadFolder } from "./load-folder.ts";

let root: string;
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), "folder-"))));
afterEach(() => rmSync(root, { recursive: true }));

const write = (folder: string, file: string, text: string): void => {
  mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, folder, file), text);
};
const GOOD = "export const good = { inputSchema: { type: 'object' }, execute: () => 1 };";

test(
  "a module that ends the bundler's process, or never ends, stops no other",
  { timeout: 300_000 },
  async () => {
    write("deep", "tools.js", `export const x = ${"(".repeat(3_900_000)}`);
    write("deep-types", "tools.ts", `export const y = ${"!".repeat(200_000)}1;`);
    write("endless", "tools.js", "for (;;);");
    write("greedy", "tools.js", "const all = []; for (;;) all.push(new Array(1e6).fill(1));");
    write("gaps", "tools.js", `${GOOD}\n${"\n".repeat(3_000_000)}${"/** ".repeat(100_000)}*/`);
    const { tools, faults } = await loadFolder(root);
    expect(tools.map(({ from }) => from.file)).toEqual(["gaps/tools.js"]);
    expect(faults.map(({ file, code }) => `${file} ${code}`)).toEqual([
      "deep-types/tools.ts import.failed",
      "deep/tools.js import.failed",
      "endless/tools.js module.timeout",
      "greedy/tools.js module.threw",
    ]);
  },
);

test(
  "a folder of more files than are looked at, and a file of a gigabyte, end soon",
  { timeout: 120_000 },
  async () => {
    write("large", "tools.js", GOOD);
    truncateSync(join(root, "large/tools.js"), 1024 ** 3);
    mkdirSync(join(root, "many"));
    for (let at = 0; at <= ENTRIES_MAX; at += 1) writeFileSync(join(root, "many", `${at}.txt`), "");
    const { tools, faults } = await loadFolder(root);
    expect(tools).toEqual([]);
    expect(faults.map(({ file, code }) => `${file} ${code}`)).toEqual([
      "large/tools.js file.too_large",
      "many folder.too_large",
    ]);
  },
);

test("a thousand folders with manifests are loaded whole", { timeout: 120_000 }, async () => {
  for (let at = 0; at < 1_000; at += 1) {
    write(`tool-${at}`, "manifest.json", `{ "description": "x", "input": { "n": { "type": "number" } } }`);
    write(`tool-${at}`, "tool.js", `return args.n + ${at};`);
  }
  const { tools, faults } = await loadFolder(root);
  expect(faults).toEqual([]);
  expect(tools).toHaveLength(1_000);
});
