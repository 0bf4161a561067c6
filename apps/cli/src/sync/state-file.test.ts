import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readState, type SyncState, writeState } from "./state-file.ts";

const HASH = "a".repeat(64);
const tool = { name: "greet", hash: HASH, file: "greet/tool.js", isPlain: true };
const STATE: SyncState = {
  places: { "https://a.example ten_1": { greet: { mine: HASH, theirs: HASH, file: "greet/tool.js" } } },
  seen: {
    digest: HASH,
    dependsOn: { files: ["../common/shared.ts"], folders: ["."], times: ["node_modules"] },
    tools: [tool, { ...tool, agentId: "support" }],
  },
};

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "bulkhead-state-"));
});
afterEach(() => rm(root, { recursive: true }));

const plain = (state: SyncState): unknown => JSON.parse(JSON.stringify(state));

test("what was written is read, from a folder that keeps itself out of Git", async () => {
  expect(plain(await readState(root))).toEqual({ places: {}, seen: null });
  await writeState(root, STATE);
  expect(plain(await readState(root))).toEqual(STATE);
  expect(await readFile(join(root, ".bulkhead", ".gitignore"), "utf8")).toMatch(/^\*$/m);
});

test.each([
  ["no JSON", "{"],
  ["another version", JSON.stringify({ version: 1, ...STATE })],
  ["a list", "[]"],
  [
    "a hash that is none",
    JSON.stringify({ version: 2, places: { a: { b: { mine: "x", theirs: HASH, file: "f" } } }, seen: null }),
  ],
  [
    "files that are no texts",
    JSON.stringify({
      version: 2,
      places: {},
      seen: { digest: HASH, dependsOn: { files: [1], folders: [], times: [] }, tools: [] },
    }),
  ],
  [
    "a tool without a file",
    JSON.stringify({
      version: 2,
      places: {},
      seen: {
        digest: HASH,
        dependsOn: { files: [], folders: [], times: [] },
        tools: [{ name: "a", hash: HASH }],
      },
    }),
  ],
])("a state file with %s is refused with what to do", async (_what, text) => {
  await mkdir(join(root, ".bulkhead"));
  await writeFile(join(root, ".bulkhead", "state.json"), text);
  await expect(readState(root)).rejects.toMatchObject({
    parts: { code: "cli.state_unusable", exit: 2, next: expect.stringContaining("Delete it") },
  });
});

test("names of a prototype's are names like others", async () => {
  await mkdir(join(root, ".bulkhead"));
  const text = `{"version":2,"places":{"__proto__":{"constructor":{"mine":"${HASH}","theirs":"${HASH}","file":"f"}}},"seen":null}`;
  await writeFile(join(root, ".bulkhead", "state.json"), text);
  const { places } = await readState(root);
  expect(Object.keys(places)).toEqual(["__proto__"]);
  expect(({} as Record<string, unknown>)["constructor"]).toBe(Object);
});

test("nothing is read or written through links", async () => {
  const other = join(root, "other");
  await mkdir(other);
  const folder = join(root, "tools");
  await mkdir(folder);
  await symlink(other, join(folder, ".bulkhead"));
  await expect(readState(folder)).rejects.toMatchObject({ parts: { code: "cli.state_unusable" } });
  await expect(writeState(folder, STATE)).rejects.toMatchObject({ parts: { code: "cli.state_unusable" } });
  await rm(join(folder, ".bulkhead"));
  await mkdir(join(folder, ".bulkhead"));
  await writeFile(join(other, "state.json"), JSON.stringify({ version: 2, ...STATE }));
  await symlink(join(other, "state.json"), join(folder, ".bulkhead", "state.json"));
  await expect(readState(folder)).rejects.toMatchObject({ parts: { code: "cli.state_unusable" } });
});
