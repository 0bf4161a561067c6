import { queryRows } from "@bulkhead/testing";
import { expect, test } from "vitest";
import {
  askerOf,
  database,
  newTenant,
  testDatabaseUrl,
  useWorkspaces,
  write,
} from "../files/fixtures/workspaces.ts";
import { removeFile } from "../files.ts";
import { MemoryKeeper, searchMemory, sweepMemory, type MemoryDeps } from "../memory.ts";
import { deps, LetterModel, memoryWith, useMemories } from "./fixtures/memories.ts";

useWorkspaces();
useMemories();

const never = new AbortController().signal;
/** Turns of a worker until all is indexed; what it reports is told. */
async function keep(memory: MemoryDeps, turns = 2): Promise<string[]> {
  const reported: string[] = [];
  const keeper = new MemoryKeeper({ ...memory, report: (_what, error) => reported.push(String(error)) });
  for (let turn = 0; turn < turns; turn += 1) await keeper.keep(never);
  return reported;
}
const rowsOf = (tenantId: string) =>
  queryRows(
    testDatabaseUrl(),
    "SELECT model, chunks, octet_length(vectors) AS bytes FROM memory_documents WHERE tenant_id = $1 ORDER BY hash",
    [tenantId],
  );
const sql = (text: string, values: unknown[]) => queryRows(testDatabaseUrl(), text, values);

test("what nobody searches is indexed by the worker, each content once for a tenant", async () => {
  const tenantId = await newTenant();
  for (const user of ["ann", "bob"]) {
    await write(askerOf(tenantId, "alpha", user), "MEMORY.md", "the same zebra");
    await write(askerOf(tenantId, "alpha", user), "notes.md", "no memory");
  }
  expect(await keep(deps)).toEqual([]);
  expect(await rowsOf(tenantId)).toEqual([{ model: "hashed/1", chunks: 1, bytes: 512 }]);
});

test("vectors of a model come by the worker; until then words find it", async () => {
  const model = new LetterModel();
  const memory = memoryWith(model);
  const tenantId = await newTenant();
  const ann = askerOf(tenantId, "alpha", "ann");
  await write(ann, "memory/a.md", "aaaa zebra");
  await write(ann, "memory/b.md", "qqqq xyz");
  const before = await searchMemory(memory, ann, { query: "zebra" });
  expect(before).toMatchObject({ mode: "hybrid", results: [{ path: "memory/a.md", score: 0.5 }] });
  expect(await keep(memory)).toEqual([]);
  expect(await rowsOf(tenantId)).toMatchObject([
    { model: "letters", bytes: 26 },
    { model: "letters", bytes: 26 },
  ]);
  const found = await searchMemory(memory, ann, { query: "qqqqq" });
  expect(found.results[0]).toMatchObject({ path: "memory/b.md", score: 0.5 });
  // Nothing is asked twice.
  await keep(memory);
  const texts = ["aaaa zebra", "qqqq xyz"];
  expect(model.asked.filter((text) => texts.includes(text)).toSorted()).toEqual(texts);
});

test("while the endpoint is down words find it, searches say so, and vectors come later", async () => {
  const model = new LetterModel("down");
  const memory = memoryWith(model);
  const tenantId = await newTenant();
  const ann = askerOf(tenantId, "alpha", "ann");
  await write(ann, "memory/a.md", "a zebra");
  model.fault = "the server of the embeddings answered 503";
  expect(await searchMemory(memory, ann, { query: "zebra" })).toMatchObject({
    results: [{ path: "memory/a.md", score: 1 }],
    mode: "words",
    note: "Found by words alone: the server of the embeddings answered 503.",
  });
  expect((await keep(memory)).every((said) => said.includes("503"))).toBe(true);
  expect(await rowsOf(tenantId)).toEqual([{ model: null, chunks: 1, bytes: null }]);
  model.fault = null;
  await sql("UPDATE memory_documents SET vectors_due_at = now() WHERE tenant_id = $1", [tenantId]);
  expect(await keep(memory)).toEqual([]);
  expect(await rowsOf(tenantId)).toEqual([{ model: "down", chunks: 1, bytes: 26 }]);
  expect(await searchMemory(memory, ann, { query: "zebra" })).toMatchObject({ mode: "hybrid", note: null });
});

test("tenants whose key is refused hold up nobody else's vectors", async () => {
  const [model, answering] = [new LetterModel("keyed"), new LetterModel("keyed")];
  const tenants: string[] = [];
  for (let n = 0; n < 5; n += 1) tenants.push(await newTenant());
  tenants.sort();
  for (const tenantId of tenants) await write(askerOf(tenantId, "alpha", null), "memory/a.md", "a zebra");
  const refused = new Set([0, 1, 3].map((n) => tenants[n]));
  model.embed = async (request, signal) =>
    refused.has(request.tenantId) ? { ok: false, message: "401" } : answering.embed(request, signal);
  await keep(memoryWith(model), 1);
  for (const [n, bytes] of [null, null, 26, null, 26].entries())
    expect(await rowsOf(tenants[n] ?? "")).toMatchObject([{ bytes }]);
});

test("another model makes all vectors anew, and none is compared with one of another", async () => {
  const tenantId = await newTenant();
  const ann = askerOf(tenantId, "alpha", "ann");
  await write(ann, "memory/a.md", "a zebra");
  await keep(deps);
  const memory = memoryWith(new LetterModel("other"));
  expect((await searchMemory(memory, ann, { query: "zebra" })).results[0]?.score).toBe(0.5);
  await keep(memory);
  expect(await rowsOf(tenantId)).toEqual([{ model: "other", chunks: 1, bytes: 26 }]);
  expect((await searchMemory(memory, ann, { query: "zebra" })).results[0]?.score).toBe(1);
  await keep(deps);
  expect(await rowsOf(tenantId)).toEqual([{ model: "hashed/1", chunks: 1, bytes: 512 }]);
});

test("two workers make each vector once", async () => {
  const models = [new LetterModel("shared"), new LetterModel("shared")];
  const tenants = [await newTenant(), await newTenant()];
  for (const tenantId of tenants)
    for (let n = 0; n < 12; n += 1)
      await write(askerOf(tenantId, "alpha", null), `memory/${n}.md`, `once ${tenantId} ${n}`);
  await Promise.all(models.map((model) => keep(memoryWith(model))));
  const asked = models.flatMap((model) => model.asked).filter((text) => text.startsWith("once"));
  expect(asked).toHaveLength(24);
  expect(new Set(asked).size).toBe(24);
});

test("what no document has is dropped after an hour, and what one has stays", async () => {
  const tenantId = await newTenant();
  const ann = askerOf(tenantId, "alpha", "ann");
  await write(ann, "memory/a.md", "a zebra");
  await write(ann, "memory/b.md", "a lion");
  await keep(deps);
  await removeFile({ files: database.files, tenants: database.tenants }, ann, { path: "memory/a.md" });
  await sweepMemory(deps, never);
  expect(await rowsOf(tenantId)).toHaveLength(2);
  await sql("UPDATE memory_documents SET indexed_at = now() - interval '61 minutes' WHERE tenant_id = $1", [
    tenantId,
  ]);
  await sweepMemory(deps, never);
  expect(await rowsOf(tenantId)).toHaveLength(1);
  expect(await sql("SELECT text FROM memory_chunks WHERE tenant_id = $1", [tenantId])).toEqual([
    { text: "a lion" },
  ]);
});

test("what is stored in another form is made anew", async () => {
  const tenantId = await newTenant();
  const ann = askerOf(tenantId, "alpha", "ann");
  await write(ann, "memory/a.md", "a zebra");
  await keep(deps);
  await sql("UPDATE memory_documents SET format = 0, words = '' WHERE tenant_id = $1", [tenantId]);
  expect((await searchMemory(memoryWith(deps.embeddings), ann, { query: "zebra" })).results).toHaveLength(1);
  expect(await sql("SELECT format FROM memory_documents WHERE tenant_id = $1", [tenantId])).toEqual([
    { format: 1 },
  ]);
});
