import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { LoadedFolder } from "./loaded-folder.ts";
import { watchFolder } from "./watch-folder.ts";

const root = mkdtempSync(join(tmpdir(), "watched-"));
afterAll(() => rmSync(root, { recursive: true }));

test("a folder that is watched is given again when a file of a tool changes, or comes", async () => {
  const watched = join(root, "fetch-products");
  mkdirSync(watched);
  writeFileSync(join(watched, "manifest.json"), `{ "description": "Fetches." }`);
  writeFileSync(join(watched, "tool.js"), "return 1;");
  const stopping = new AbortController();
  const folders = watchFolder(watched, { everyMs: 20, signal: stopping.signal });
  const next = async () => (await folders.next()).value as LoadedFolder;
  expect((await next()).tools).toHaveLength(1);
  writeFileSync(join(watched, "tool.js"), "return { changed: true };");
  expect((await next()).tools[0]?.record.code).toBe("return { changed: true };");
  rmSync(join(watched, "manifest.json"));
  expect((await next()).tools).toEqual([]);
  stopping.abort();
  expect(await folders.next()).toEqual({ done: true, value: undefined });
});

test("a module is given again when a file that it imports is mended, or another one is what it imports", async () => {
  const watched = join(root, "mended");
  mkdirSync(join(watched, "one"), { recursive: true });
  const write = (file: string, text: string) => writeFileSync(join(watched, file), text);
  write("tools.ts", `import { one } from "./one";\nexport const a = { execute: () => one };`);
  write("one/index.ts", "export const one = ;");
  // What was written just before would be looked at once more in any case.
  for (const file of ["tools.ts", "one/index.ts"]) utimesSync(join(watched, file), 1, 1);
  const stopping = new AbortController();
  const folders = watchFolder(watched, { everyMs: 20, signal: stopping.signal });
  const next = async () => (await folders.next()).value as LoadedFolder;
  expect(await next()).toMatchObject({
    tools: [],
    faults: [{ code: "import.failed", file: "one/index.ts" }],
  });
  write("one/index.ts", "export const one = 1;");
  expect(await next()).toMatchObject({ tools: [{ record: { name: "a" } }], faults: [] });
  write("one.ts", `export const one = "nearer";`);
  const code = async (): Promise<string> => (await next()).tools[0]?.record.code ?? "";
  // What has just been written may be given twice.
  while (!(await code()).includes("nearer"));
  stopping.abort();
  await folders.next();
});

test("files that are missing are waited for, where a module and a bulkhead.yaml name them", async () => {
  const watched = join(root, "waits");
  mkdirSync(join(watched, "sets"), { recursive: true });
  const write = (file: string, text: string) => {
    writeFileSync(join(watched, file), text);
    utimesSync(join(watched, file), 1, 1);
  };
  write("tools.ts", `import { one } from "./one.ts";\nexport const a = { execute: () => one };`);
  write("sets/bulkhead.yaml", `toolsets: { own: { module: ./mine.ts, tools: [b] } }`);
  const stopping = new AbortController();
  const folders = watchFolder(watched, { everyMs: 20, signal: stopping.signal });
  /** What is found once all changes were seen. */
  const until = async (tools: number): Promise<LoadedFolder> => {
    for await (const found of { [Symbol.asyncIterator]: () => ({ next: () => folders.next() }) })
      if (found.tools.length === tools) return found;
    return expect.fail("the watch ended");
  };
  expect((await until(0)).faults.map(({ code }) => code)).toEqual(["file.unreadable", "import.failed"]);
  write("one.ts", "export const one = 1;");
  await until(1);
  write("sets/mine.ts", "export const b = { execute: () => 1 };");
  expect((await until(2)).faults).toEqual([]);
  renameSync(watched, `${watched}-away`);
  const gone = await folders.next();
  expect(gone.value).toMatchObject({ tools: [{}, {}], faults: [{ code: "file.unreadable", file: "" }] });
  renameSync(`${watched}-away`, watched);
  expect(await until(2)).toMatchObject({ faults: [] });
  stopping.abort();
  await folders.next();
});
