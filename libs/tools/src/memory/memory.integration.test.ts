import { FILE_SETTINGS_DEFAULT, MEMORY_DOCUMENT_BYTES_MAX, newAuditId } from "@bulkhead/core";
import { expect, test } from "vitest";
import {
  askerOf,
  bytesOf,
  codeOf,
  database,
  deps as files,
  newTenant,
  useWorkspaces,
  write,
} from "../files/fixtures/workspaces.ts";
import { moveFile, removeFile, writeFile, type FileAsker } from "../files.ts";
import { getMemory, searchMemory } from "../memory.ts";
import { deps, useMemories } from "./fixtures/memories.ts";

useWorkspaces();
useMemories();

const search = (asker: FileAsker, query: string, more: object = {}) =>
  searchMemory(deps, asker, { query, ...more });
const pathsFor = async (asker: FileAsker, query: string) =>
  (await search(asker, query)).results.map(({ path }) => path);

test("what was just written is found, with its lines and whose it is", async () => {
  const ann = askerOf(await newTenant(), "alpha", "ann");
  await write(ann, "memory/pets.md", "# Pets\n\nAnna's dog is called Rex.\n");
  expect(await search(ann, "What is the dog's name?")).toEqual({
    results: [
      {
        path: "memory/pets.md",
        startLine: 1,
        endLine: 3,
        text: "# Pets\n\nAnna's dog is called Rex.",
        score: 1,
        scope: "user",
      },
    ],
    mode: "hybrid",
    note: null,
    notSearched: { pending: 0, tooLarge: 0, notText: 0 },
    cut: false,
  });
  await write(ann, "memory/pets.md", "# Pets\n\nAnna's cat is called Tom.\n");
  expect((await search(ann, "dog Rex")).results.map(({ text }) => text)).not.toContain("Rex");
  expect((await search(ann, "cat")).results[0]?.text).toContain("Tom");
});

test("each name of the memory is searched, and nothing else is", async () => {
  const asker = askerOf(await newTenant(), "alpha", null);
  for (const path of ["MEMORY.md", "memory.md", "memory/a/b/c.MD"]) await write(asker, path, `zebra ${path}`);
  for (const path of ["notes.md", "memory/a.txt", "memories/a.md", "a/memory/b.md", "Memory.md"])
    await write(asker, path, `zebra ${path}`);
  expect((await pathsFor(asker, "zebra")).toSorted()).toEqual(["MEMORY.md", "memory.md", "memory/a/b/c.MD"]);
});

test("the user's own goes before the agent's and the tenant's of the same path, and those are found too", async () => {
  const tenantId = await newTenant();
  const ann = askerOf(tenantId, "alpha", "ann");
  await write(askerOf(tenantId, null, null), "memory/tenant.md", "zebra of the tenant");
  await write(askerOf(tenantId, "alpha", null), "memory/who.md", "zebra of the agent");
  await write(ann, "memory/who.md", "zebra of the user");
  const { results } = await search(ann, "zebra");
  expect(results.map(({ path, scope, text }) => `${path} ${scope}: ${text}`).toSorted()).toEqual([
    "memory/tenant.md global: zebra of the tenant",
    "memory/who.md user: zebra of the user",
  ]);
  const bob = askerOf(tenantId, "alpha", "bob");
  expect((await search(bob, "zebra")).results.map(({ text }) => text).toSorted()).toEqual([
    "zebra of the agent",
    "zebra of the tenant",
  ]);
});

test("what is moved or removed is in no result from then on, and comes back with its content", async () => {
  const asker = askerOf(await newTenant(), "alpha", "ann");
  await write(asker, "memory/a.md", "a zebra");
  expect(await pathsFor(asker, "zebra")).toEqual(["memory/a.md"]);
  await moveFile(files, asker, { from: "memory/a.md", to: "memory/b.md", overwrites: false });
  expect(await pathsFor(asker, "zebra")).toEqual(["memory/b.md"]);
  await moveFile(files, asker, { from: "memory/b.md", to: "notes/b.md", overwrites: false });
  expect(await pathsFor(asker, "zebra")).toEqual([]);
  await moveFile(files, asker, { from: "notes/b.md", to: "MEMORY.md", overwrites: false });
  expect(await pathsFor(asker, "zebra")).toEqual(["MEMORY.md"]);
  await removeFile(files, asker, { path: "MEMORY.md" });
  expect(await pathsFor(asker, "zebra")).toEqual([]);
});

test("what is denied to agents is in no result of theirs", async () => {
  const tenantId = await newTenant({ ...FILE_SETTINGS_DEFAULT, deny: ["memory/secret"] });
  const person = askerOf(tenantId, "alpha", null, true);
  await write(person, "memory/secret/a.md", "zebra secret");
  await write(person, "memory/open.md", "zebra open");
  expect(await pathsFor(askerOf(tenantId, "alpha", null), "zebra")).toEqual(["memory/open.md"]);
  expect(await pathsFor(person, "zebra")).toHaveLength(2);
  expect(
    await codeOf(getMemory(deps, askerOf(tenantId, "alpha", null), { path: "memory/secret/a.md" })),
  ).toBe("file.not_found");
});

test("what can't be searched is counted by why", async () => {
  const asker = askerOf(await newTenant(FILE_SETTINGS_DEFAULT, 4 * MEMORY_DOCUMENT_BYTES_MAX), "alpha", null);
  await writeFile(files, asker, { path: "memory/bytes.md", content: Buffer.from([0xff, 0xfe, 0]) });
  await writeFile(files, asker, {
    path: "memory/long.md",
    content: bytesOf("a line\n".repeat(MEMORY_DOCUMENT_BYTES_MAX / 4)),
  });
  await write(asker, "memory/empty.md", " \n");
  for (let n = 0; n < 40; n += 1) await write(asker, `memory/${n}.md`, `zebra ${n}`);
  const { notSearched, results } = await search(asker, "zebra", { limit: 50 });
  // Of those that are not indexed the newest 32 are, as many as one search makes.
  expect(notSearched).toEqual({ pending: 10, tooLarge: 1, notText: 0 });
  expect(results).toHaveLength(32);
  const next = await search(asker, "zebra", { limit: 50 });
  expect(next.notSearched).toEqual({ pending: 0, tooLarge: 1, notText: 1 });
  expect(next.results).toHaveLength(40);
});

test("the same content at several paths is one result, the user's own", async () => {
  const tenantId = await newTenant();
  const ann = askerOf(tenantId, "alpha", "ann");
  await write(askerOf(tenantId, "alpha", null), "memory/a.md", "a zebra");
  await write(ann, "memory/z.md", "a zebra");
  await write(ann, "memory/b.md", "a zebra");
  expect((await search(ann, "zebra")).results).toMatchObject([{ path: "memory/b.md", scope: "user" }]);
});

test("limit and minScore leave out what is worse", async () => {
  const asker = askerOf(await newTenant(), "alpha", null);
  for (let n = 0; n < 20; n += 1) await write(asker, `memory/${n}.md`, `zebra ${"word ".repeat(n)}`);
  expect((await search(asker, "zebra", { limit: 3 })).results).toHaveLength(3);
  const { results } = await search(asker, "zebra", { minScore: 0.9 });
  expect(results.length).toBeLessThan(10);
  expect(results.every(({ score }) => score >= 0.9)).toBe(true);
});

test("files of the memory are read by lines, and no other is", async () => {
  const tenantId = await newTenant();
  const ann = askerOf(tenantId, "alpha", "ann");
  await write(askerOf(tenantId, "alpha", null), "MEMORY.md", "one\ntwo\nthree\n");
  expect(await getMemory(deps, ann, { path: "MEMORY.md", startLine: 2, endLine: 2 })).toMatchObject({
    text: "two\n",
    startLine: 2,
    endLine: 2,
    totalLines: 3,
    scope: "global",
  });
  await write(ann, "notes.md", "mine");
  expect(await codeOf(getMemory(deps, ann, { path: "notes.md" }))).toBe("file.path_invalid");
  expect(await codeOf(getMemory(deps, ann, { path: "memory/../notes.md" }))).toBe("file.path_invalid");
  expect(await codeOf(getMemory(deps, ann, { path: "memory/none.md" }))).toBe("file.not_found");
});

test("a tenant that goes is searched no more, and gets no index", async () => {
  const tenantId = await newTenant();
  const asker = askerOf(tenantId, "alpha", null);
  await write(asker, "memory/a.md", "a zebra");
  const documents = await database.memory.list([asker.workspace], 10);
  await database.tenantDeletions.begin(tenantId, {
    entryId: newAuditId(),
    tenantId,
    action: "tenant.deleted",
    id: tenantId,
    name: "gone",
    role: "admin",
    keyId: "admin",
    agentId: null,
    requestId: "req_1",
    beforeHash: null,
    afterHash: null,
    details: {},
  });
  expect(await codeOf(search(asker, "zebra"))).toBe("tenant.not_found");
  const hash = documents[0]?.hash ?? "";
  await database.memory.add(tenantId, hash, { chunks: [], words: new Uint8Array(8), vectors: null });
  expect(await database.memory.weights(tenantId, [hash])).toEqual([]);
});
