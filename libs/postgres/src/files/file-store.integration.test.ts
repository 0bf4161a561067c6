import {
  ANY_FILE,
  FILE_CHUNK_BYTES,
  FILE_VERSIONS_MAX,
  type FileContent,
  type Workspace,
} from "@bulkhead/core";
import { createHash, randomBytes } from "node:crypto";
import { queryRows } from "@bulkhead/testing";
import { expect, test } from "vitest";
import { database, otherId, tenantId, testDatabase, useTwoTenants } from "../fixtures/stores.ts";

useTwoTenants();

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

function contentOf(said: string | Uint8Array): FileContent {
  const bytes = Buffer.from(said);
  const chunks = [];
  for (let at = 0; at < bytes.length; at += FILE_CHUNK_BYTES) {
    const piece = bytes.subarray(at, at + FILE_CHUNK_BYTES);
    chunks.push({ hash: sha256(piece), bytes: piece });
  }
  return { size: bytes.length, hash: sha256(bytes), chunks };
}

let agents = 0;
/** A workspace that no other test has. */
const fresh = (): Workspace => ({ tenantId, agentId: `agent ${(agents += 1)}`, userId: null });
const ROOM = { files: 1_000_000, bytes: 1_000_000_000 };
const all = { folder: "", denied: [], after: null, limit: 1_000 };
const layerOf = (workspace: Workspace) => ({ workspace, only: null, except: [] });
const moving = { overwrites: false, denied: [], check: (_to: string): void => undefined };
const removing = { isRecursive: false, denied: [], condition: ANY_FILE };

const write = (
  workspace: Workspace,
  path: string,
  said: string | Uint8Array,
  condition = ANY_FILE,
  bounds = ROOM,
) => database.files.write({ workspace, path }, contentOf(said), condition, { by: "key_1", bounds });
async function read(workspace: Workspace, path: string): Promise<string | null> {
  const file = await database.files.findFirst([workspace], path);
  const bytes = file && (await database.files.read(file, file.version, { from: 0, to: file.size }));
  return bytes && Buffer.from(bytes).toString();
}
const pathsOf = (workspace: Workspace) => database.files.paths(layerOf(workspace), all);
/** What is counted, and what there is. */
async function counted(): Promise<[unknown, unknown]> {
  const [row] = await queryRows(
    testDatabase.url,
    `SELECT count(*)::int AS files, coalesce(sum(size), 0)::int AS bytes FROM files WHERE tenant_id = '${tenantId}'`,
  );
  return [await database.files.usage(tenantId), row];
}

test("a file is read as it was written, in any part, also where it has many pieces", async () => {
  const workspace = fresh();
  const bytes = randomBytes(2 * FILE_CHUNK_BYTES + 5);
  const written = await write(workspace, "big", bytes);
  expect(written).toMatchObject({
    outcome: "written",
    created: true,
    file: { version: 1, size: bytes.length },
  });
  const file = await database.files.findFirst([workspace], "big");
  for (const [from, to] of [
    [0, bytes.length],
    [0, 1],
    [FILE_CHUNK_BYTES - 1, FILE_CHUNK_BYTES + 1],
    [2 * FILE_CHUNK_BYTES, bytes.length],
    [bytes.length - 1, bytes.length],
  ] as const)
    expect(Buffer.from((await database.files.read(file!, 1, { from, to }))!)).toEqual(
      bytes.subarray(from, to),
    );
  await write(workspace, "none", "");
  expect(await read(workspace, "none")).toBe("");
  expect(await database.files.read(file!, 2, { from: 0, to: 1 })).toBeNull();
});

test("the last versions are kept, and the same bytes make none", async () => {
  const workspace = fresh();
  for (let n = 1; n <= FILE_VERSIONS_MAX + 2; n += 1) await write(workspace, "a", `text ${n}`);
  expect(await write(workspace, "a", `text ${FILE_VERSIONS_MAX + 2}`)).toMatchObject({ changed: false });
  const file = await database.files.findFirst([workspace], "a");
  const versions = await database.files.versions(file!);
  expect(versions.map(({ version }) => version)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
  expect(Buffer.from((await database.files.read(file!, 3, { from: 0, to: 6 }))!).toString()).toBe("text 3");
});

test("a workspace is one tenant's, agent's and user's", async () => {
  const workspace = fresh();
  await write(workspace, "a", "mine");
  const others = [
    { ...workspace, userId: "u" },
    { ...workspace, agentId: null },
    { ...workspace, tenantId: otherId },
  ];
  for (const other of others) {
    expect(await database.files.findFirst([other], "a")).toBeNull();
    expect(await pathsOf(other)).not.toContain("a");
    expect(await database.files.remove({ workspace: other, path: "a" }, removing)).toEqual({
      outcome: "not_found",
    });
  }
  expect(await read(workspace, "a")).toBe("mine");
});

test("of two tenants with the same bytes each has its own", async () => {
  const workspace = fresh();
  const text = randomBytes(20).toString("hex");
  await write(workspace, "a", text);
  await write({ ...workspace, tenantId: otherId }, "a", text);
  const rows = await queryRows(
    testDatabase.url,
    `SELECT tenant_id FROM file_chunks WHERE hash = '${sha256(Buffer.from(text))}'`,
  );
  expect(rows).toHaveLength(2);
});

test("a file stands in no folder's place, and no folder in a file's", async () => {
  const workspace = fresh();
  await write(workspace, "a/b/c", "x");
  await write(workspace, "file", "x");
  expect(await write(workspace, "a/b", "y")).toEqual({ outcome: "is_folder", path: "a/b" });
  expect(await write(workspace, "file/x", "y")).toEqual({ outcome: "under_file", path: "file" });
  // What only begins alike is neither.
  for (const path of ["a/b.c", "a/b!", "a/bc", "file.txt"])
    expect(await write(workspace, path, "y")).toMatchObject({ outcome: "written" });
});

test("of writers that expect the same state one wins", async () => {
  const workspace = fresh();
  const create = { exists: false, hashes: null };
  const made = await Promise.all([1, 2, 3, 4].map((n) => write(workspace, "a", `made ${n}`, create)));
  expect(made.filter(({ outcome }) => outcome === "written")).toHaveLength(1);
  const { hash } = (await database.files.findFirst([workspace], "a"))!;
  const seen = { exists: true, hashes: [hash] };
  const changed = await Promise.all([1, 2, 3, 4].map((n) => write(workspace, "a", `changed ${n}`, seen)));
  expect(changed.map(({ outcome }) => outcome).toSorted()).toEqual([
    "condition_failed",
    "condition_failed",
    "condition_failed",
    "written",
  ]);
});

test("however many write at once, the quota holds and the count is right", async () => {
  const workspace = fresh();
  const { files, bytes } = await database.files.usage(tenantId);
  const bounds = { files: files + 5, bytes: bytes + 1_000 };
  const made = await Promise.all(
    Array.from({ length: 12 }, (_, n) => write(workspace, `f${n}`, "x".repeat(100 + n), ANY_FILE, bounds)),
  );
  expect(made.filter(({ outcome }) => outcome === "written")).toHaveLength(5);
  expect(made).toContainEqual({ outcome: "too_many_files", bound: "files", limit: files + 5 });
  const [first] = await pathsOf(workspace);
  expect(await write(workspace, first!, "x".repeat(5_000), ANY_FILE, bounds)).toEqual({
    outcome: "too_many_files",
    bound: "bytes",
    limit: bytes + 1_000,
  });
  // What takes no more room is let through, also where a bound was lowered.
  expect(await write(workspace, first!, "x", ANY_FILE, { files: 0, bytes: 0 })).toMatchObject({
    outcome: "written",
  });
  const [usage, there] = await counted();
  expect(usage).toEqual(there);
});

test("writes, moves and removals at once leave a count that is what there is", async () => {
  const workspace = fresh();
  const paths = ["a", "b", "c/d", "c/e", "f/g/h"];
  const pick = (n: number): string => paths[n % paths.length]!;
  await Promise.all(
    Array.from({ length: 90 }, async (_, n) => {
      const place = { workspace, path: pick(n) };
      if (n % 3 === 0) await write(workspace, pick(n * 7), "x".repeat(n));
      else if (n % 3 === 1)
        await database.files.move(place, pick(n * 3 + 1), { ...moving, overwrites: n % 2 === 0 });
      else await database.files.remove(place, { ...removing, isRecursive: n % 2 === 0 });
    }),
  );
  const [usage, there] = await counted();
  expect(usage).toEqual(there);
});

test("a folder moves as a whole, with versions and times, or not at all", async () => {
  const workspace = fresh();
  for (const path of ["a/1", "a/b/2", "ab", "z/1", "ä/x"]) await write(workspace, path, path);
  await write(workspace, "a/1", "changed");
  const before = await database.files.findFirst([workspace], "a/1");
  const move = (from: string, to: string, how = moving) =>
    database.files.move({ workspace, path: from }, to, how);
  expect(await move("a", "z")).toEqual({ outcome: "is_folder", path: "z" });
  expect(await move("a", "ab")).toEqual({ outcome: "exists", path: "ab" });
  expect(await move("a", "ab/c")).toEqual({ outcome: "under_file", path: "ab" });
  expect(await move("none", "x")).toEqual({ outcome: "not_found" });
  const refuse = { ...moving, check: (path: string) => expect(path).not.toBe("y/b/2") };
  await expect(move("a", "y", refuse)).rejects.toThrow();
  expect(await pathsOf(workspace)).toEqual(["a/1", "a/b/2", "ab", "z/1", "ä/x"]);
  expect(await move("a", "y")).toEqual({
    outcome: "moved",
    moved: [
      { from: "a/1", to: "y/1" },
      { from: "a/b/2", to: "y/b/2" },
    ],
  });
  expect(await database.files.findFirst([workspace], "y/1")).toEqual({ ...before, path: "y/1" });
  expect(await move("ä", "é😀")).toMatchObject({ outcome: "moved" });
  expect(await pathsOf(workspace)).toEqual(["ab", "y/1", "y/b/2", "z/1", "é😀/x"]);
  expect(await move("ab", "z/1")).toEqual({ outcome: "exists", path: "z/1" });
  expect(await move("ab", "z/1", { ...moving, overwrites: true })).toMatchObject({ outcome: "moved" });
  expect(await read(workspace, "z/1")).toBe("ab");
});

test("what is denied is not there, and stays where a folder goes", async () => {
  const workspace = fresh();
  for (const path of ["a/1", "a/secret/2", "a/secrets", "b"]) await write(workspace, path, "x");
  const denied = ["a/secret", "b"];
  const asked = { ...all, denied };
  expect(await database.files.paths(layerOf(workspace), asked)).toEqual(["a/1", "a/secrets"]);
  expect((await database.files.list(layerOf(workspace), asked)).map(({ path }) => path)).toEqual([
    "a/1",
    "a/secrets",
  ]);
  const found = await database.files.search(layerOf(workspace), { ...asked, literal: null, bytesMax: 1_000 });
  expect(found.files.map(({ path }) => path)).toEqual(["a/1", "a/secrets"]);
  await database.files.move({ workspace, path: "a" }, "c", { ...moving, denied });
  expect(await pathsOf(workspace)).toEqual(["a/secret/2", "b", "c/1", "c/secrets"]);
  await database.files.remove({ workspace, path: "c" }, { ...removing, isRecursive: true, denied: ["c/1"] });
  expect(await pathsOf(workspace)).toEqual(["a/secret/2", "b", "c/1"]);
});

test("lists go on where they ended, by bytes, within a folder and a layer", async () => {
  const workspace = fresh();
  const paths = ["A", "a", "b/1", "b/2", "b0", "memory/x", "z", "ä", "😀"];
  for (const path of paths) await write(workspace, path, path);
  const seen: string[] = [];
  for (let after: string | null = null; ;) {
    const page: string[] = (await database.files.list(layerOf(workspace), { ...all, after, limit: 2 })).map(
      ({ path }) => path,
    );
    seen.push(...page);
    after = page.at(-1) ?? null;
    if (page.length < 2) break;
  }
  expect(seen).toEqual(paths);
  expect(await database.files.paths(layerOf(workspace), { ...all, folder: "b" })).toEqual(["b/1", "b/2"]);
  const some = { workspace, only: ["a", "memory/"], except: [] };
  expect(await database.files.paths(some, all)).toEqual(["a", "memory/x"]);
  const others = { workspace, only: null, except: ["a", "b/"] };
  expect(await database.files.paths(others, all)).toEqual(["A", "b0", "memory/x", "z", "ä", "😀"]);
});

test("a search brings the files that hold the text, also across pieces, and says what it looked at", async () => {
  const workspace = fresh();
  await write(workspace, "a", "hay");
  await write(workspace, "b", `${"x".repeat(FILE_CHUNK_BYTES - 2)}needle`);
  await write(workspace, "c", "needle");
  await write(workspace, "d", "");
  const asked = { ...all, literal: Buffer.from("needle") };
  const whole = await database.files.search(layerOf(workspace), { ...asked, bytesMax: 1_000_000 });
  expect(whole.looked.map(({ path }) => path)).toEqual(["a", "b", "c", "d"]);
  expect(whole.files.map(({ path }) => path)).toEqual(["b", "c"]);
  expect(whole.next).toBeNull();
  // A file beyond the bound comes alone.
  const first = await database.files.search(layerOf(workspace), { ...asked, bytesMax: 10 });
  expect([first.looked.length, first.next]).toEqual([1, "a"]);
  const second = await database.files.search(layerOf(workspace), { ...asked, after: "a", bytesMax: 10 });
  expect([second.files.map(({ path }) => path), second.next]).toEqual([["b"], "b"]);
  const few = await database.files.search(layerOf(workspace), { ...asked, limit: 2, bytesMax: 1_000_000 });
  expect(few.next).toBe("b");
});
