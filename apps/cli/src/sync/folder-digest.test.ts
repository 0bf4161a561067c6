import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { filesOf } from "../folders/read-manifest-folder.ts";
import { folderDigest } from "./folder-digest.ts";

let home: string;
let root: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "bulkhead-digest-")));
  root = join(home, "tools");
  write("tools/greet/manifest.json", "{}");
  write("tools/greet/tool.js", "return 1;");
  write("common/index.ts", "export const a = 1;");
});
afterEach(() => rmSync(home, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
}

async function digest(): Promise<string> {
  const { files, folders } = await filesOf(join(root, "greet"));
  const own = (paths: readonly string[]): string[] => paths.map((path) => relative(root, path));
  return folderDigest(root, {
    files: [...own(files), "../common/index.ts", "../package.json"],
    folders: [...own(folders), ".", ".."],
    times: [],
  }).digest;
}

test("it is another with each file that tools are made of or that an import may mean, and with no other", async () => {
  const digests = [await digest()];
  for (const path of ["tools/greet/notes.txt", "tools/.bulkhead/state.json"]) {
    write(path, "no part of a tool");
    expect(await digest()).toBe(digests[0]);
  }
  for (const [path, text] of [
    ["tools/greet/tool.js", "return 2;"],
    ["tools/greet/examples/a.json", "1"],
    ["tools/greet/examples/b.json", "2"],
    ["tools/greet/README.md", "# Read me"],
    ["tools/greet/approval.js", "return false;"],
    ["common/index.ts", "export const a = 2;"],
    ["common.ts", "export const a = 3;"],
    ["package.json", "{}"],
    ["tools/other/tools.ts", "export {};"],
  ] as const) {
    write(path, text);
    digests.push(await digest());
  }
  expect(new Set(digests).size).toBe(digests.length);
});

test("of a link in the place of a file there is none", async () => {
  rmSync(join(home, "common/index.ts"));
  symlinkSync("/etc/hosts", join(home, "common/index.ts"));
  await expect(digest()).rejects.toThrow("is not looked at");
});
