import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readMine } from "./mine.ts";
import { type SeenFolder, writeState } from "./state-file.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "bulkhead-mine-")));
const root = join(base, "tools");
afterAll(() => rmSync(base, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** What changed just now is not remembered. */
function makeOld(): void {
  for (const path of [".", ...readdirSync(root, { recursive: true, encoding: "utf8" })])
    utimesSync(join(root, path), 1, 1);
}

const read = (seen: SeenFolder | null) =>
  readMine({ root, within: root, env: { XDG_CACHE_HOME: base }, owner: Promise.resolve(undefined), seen });

test("a folder is not loaded again until a file changes, or another one is what an import means", async () => {
  write(
    "tools.ts",
    `import { by } from "./by";\nexport const more = { inputSchema: { type: "object" }, execute: by };`,
  );
  write("by/index.ts", "export const by = ({ n }) => n + 1;");
  makeOld();
  const first = await read(null);
  expect([first.faults, [...first.tools.keys()]]).toEqual([[], ["more"]]);
  expect(first.seen).not.toBeNull();
  await writeState(root, { places: {}, seen: first.seen });
  expect((await read(first.seen)).seen).toBe(first.seen);
  write("by.ts", "export const by = ({ n }) => n + 2;");
  makeOld();
  const second = await read(first.seen);
  expect(second.tools.get("more")?.hash).not.toBe(first.tools.get("more")?.hash);
  expect((await read(second.seen)).seen).toBe(second.seen);
});
