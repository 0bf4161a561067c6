import { queryRows } from "@bulkhead/testing";
import { expect, test } from "vitest";
import {
  getDocument,
  incrementDocument,
  listCollections,
  putDocument,
  queryDocuments,
  removeDocument,
} from "../data.ts";
import { askerOf, codeOf, deps, letPass, newTenant, testDatabase, useData } from "./fixtures/stores.ts";

useData();

const c = "notes";
const usageOf = async (tenantId: string) => deps.data.usage(tenantId);
/** What the counters say, and what there is. */
async function countsOf(tenantId: string) {
  const [there] = await queryRows(
    testDatabase.url,
    `SELECT (SELECT count(*)::int FROM data_collections WHERE tenant_id = '${tenantId}') AS collections, count(*)::int AS documents,
      COALESCE(sum(bytes), 0)::int AS bytes FROM data_documents WHERE tenant_id = '${tenantId}'`,
  );
  return there;
}

test("of many who create one document, or change one version, exactly one does", async () => {
  const asker = askerOf(await newTenant());
  const results = async (condition: object) =>
    (
      await Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          codeOf(
            putDocument(deps, asker, {
              collection: c,
              id: "one",
              value: n,
              condition: { exists: null, versions: null, ...condition },
            }),
          ),
        ),
      )
    ).toSorted((one, other) => String(one).localeCompare(String(other)));
  const once = [...Array.from({ length: 11 }, () => "data.precondition_failed"), "none"];
  expect(await results({ exists: false })).toEqual(once);
  expect(await results({ versions: [1] })).toEqual(once);
  expect(await getDocument(deps, asker, { collection: c, id: "one" })).toMatchObject({ version: 2 });
});

test("no increment of many at once is lost, also where the document is not there yet", async () => {
  const asker = askerOf(await newTenant());
  const sums = await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      incrementDocument(deps, asker, { collection: c, id: "n", by: 1, ...(n % 2 ? {} : { ttlSeconds: 60 }) }),
    ),
  );
  expect(sums.map(({ sum }) => sum).toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: 40 }, (_, n) => n + 1),
  );
  expect(await getDocument(deps, asker, { collection: c, id: "n" })).toMatchObject({
    value: 40,
    version: 40,
  });
  expect(await countsOf(asker.workspace.tenantId)).toEqual(await usageOf(asker.workspace.tenantId));
});

test("what is no number, or would be none that is kept exactly, is not added to", async () => {
  const asker = askerOf(await newTenant());
  const add = (id: string, by: number, path?: string) =>
    incrementDocument(deps, asker, { collection: c, id, by, ...(path !== undefined && { path }) });
  await putDocument(deps, asker, {
    collection: c,
    id: "text",
    value: { n: "1", list: [1], deep: { n: 1.5 } },
  });
  await putDocument(deps, asker, { collection: c, id: "large", value: Number.MAX_SAFE_INTEGER });
  await putDocument(deps, asker, { collection: c, id: "huge", value: 1.7e308 });
  for (const [id, path, by] of [
    ["text", "n", 1],
    ["text", "list.0", 1],
    ["text", undefined, 1],
    ["large", undefined, 1],
    ["huge", undefined, 1.7e308],
  ] as const)
    expect(await codeOf(add(id, by, path)), `${id} ${path}`).toBe("data.not_a_number");
  expect((await add("text", 2, "deep.n")).sum).toBe(3.5);
  expect((await add("text", 1, "new.a.b")).document.value).toMatchObject({ new: { a: { b: 1 } } });
  // A name like this is the document's own and nobody's prototype.
  expect((await add("proto", 1, "__proto__.polluted")).sum).toBe(1);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  expect(JSON.stringify((await getDocument(deps, asker, { collection: c, id: "proto" }))?.value)).toBe(
    '{"__proto__":{"polluted":1}}',
  );
});

test("what has ended is not there for anybody, is made anew, and is swept with its collection", async () => {
  const tenantId = await newTenant();
  const asker = askerOf(tenantId);
  const put = (id: string, ttlSeconds?: number) =>
    putDocument(deps, asker, {
      collection: c,
      id,
      value: { a: 1 },
      ...(ttlSeconds !== undefined && { ttlSeconds }),
    });
  await put("a", 60);
  await put("a", 60);
  await put("b", 600);
  await letPass(tenantId, 120);
  const page = async () => (await queryDocuments(deps, asker, { collection: c, limit: 10 })).documents;
  expect((await page()).map(({ id }) => id)).toEqual(["b"]);
  expect(await deps.data.count({ workspace: asker.workspace, collection: c }, [])).toBe(1);
  expect(await getDocument(deps, asker, { collection: c, id: "a" })).toBeNull();
  expect(await removeDocument(deps, asker, { collection: c, id: "a" })).toBe(false);
  await put("a", 60);
  await letPass(tenantId, 120);
  const made = await putDocument(deps, asker, {
    collection: c,
    id: "a",
    value: 1,
    condition: { exists: false, versions: null },
  });
  expect(made).toMatchObject({ created: true, document: { version: 1, expiresAt: null } });
  await removeDocument(deps, asker, { collection: c, id: "a" });
  await letPass(tenantId, 600);
  while ((await deps.data.sweep(1)) > 0);
  expect(await countsOf(tenantId)).toEqual({ collections: 0, documents: 0, bytes: 0 });
  expect(await usageOf(tenantId)).toEqual({ collections: 0, documents: 0, bytes: 0 });
});

test("each quota is told by its name, what has ended makes room, and what takes nothing more is let through", async () => {
  const tenantId = await newTenant({
    maxCollections: 2,
    maxDocuments: 3,
    maxDocumentBytes: 50,
    maxAllDocumentBytes: 60,
  });
  const asker = askerOf(tenantId);
  const put = (collection: string, id: string, value: string, ttlSeconds = 60) =>
    putDocument(deps, asker, { collection, id, value, ttlSeconds });
  await put("a", "1", "x");
  await put("b", "1", "x");
  await expect(put("c", "1", "x")).rejects.toMatchObject({
    code: "data.quota_exceeded",
    detail: expect.stringContaining("2 collections (its limit maxCollections)"),
  });
  await put("a", "2", "x");
  await expect(put("a", "3", "x")).rejects.toMatchObject({ quotas: [{ name: "documents", limit: 3 }] });
  await expect(put("a", "1", "x".repeat(49))).rejects.toMatchObject({ code: "data.too_large" });
  await put("a", "1", "x".repeat(48));
  await expect(put("a", "2", "x".repeat(40))).rejects.toMatchObject({ quotas: [{ name: "document-bytes" }] });
  await put("a", "1", "y");
  expect(await countsOf(tenantId)).toEqual(await usageOf(tenantId));
  await letPass(tenantId, 120);
  await put("c", "1", "x");
  expect(await usageOf(tenantId)).toEqual({ collections: 1, documents: 1, bytes: 3 });
});

test("names, ids and values that can't be kept are refused by name", async () => {
  const asker = askerOf(await newTenant());
  const put = (collection: string, id: string, value: unknown) =>
    codeOf(putDocument(deps, asker, { collection, id, value: value as string }));
  const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);
  for (const collection of ["", "1a", "a b", "a/b", "$x", "a".repeat(65), "é", "__proto__"])
    expect(await put(collection, "a", 1), collection).toBe("data.name_invalid");
  expect(await put("$goals", "a", 1)).toBe("data.reserved");
  for (const id of ["", "a\0", "\ud800", "é".repeat(257)])
    expect(await put(c, id, 1), id).toBe("data.name_invalid");
  for (const value of ["a\0", { "\ud800": 1 }, [{ a: "\udfff" }], nested(65)])
    expect(await put(c, "a", value)).toBe("data.value_invalid");
  expect(await put(c, "a", "x".repeat(65_535))).toBe("data.too_large");
  expect(await put("a.b-c_D", "any / thing ? \n ☃", nested(64))).toBe("none");
});

test("a collection that the settings share is one for all; any other is each caller's own", async () => {
  const tenantId = await newTenant({}, { shared: { all: "tenant", team: "agent" } });
  const ann = askerOf(tenantId, "one", "ann");
  const bob = askerOf(tenantId, "one", "bob");
  const other = askerOf(tenantId, "two", "ann");
  for (const collection of ["all", "team", "own"])
    await putDocument(deps, ann, { collection, id: "x", value: collection });
  const seen = async (asker: ReturnType<typeof askerOf>) =>
    Promise.all(
      ["all", "team", "own"].map(
        async (collection) => (await getDocument(deps, asker, { collection, id: "x" }))?.value,
      ),
    );
  expect([await seen(ann), await seen(bob), await seen(other)]).toEqual([
    ["all", "team", "own"],
    ["all", "team", undefined],
    ["all", undefined, undefined],
  ]);
  const people = askerOf(tenantId, null, null, true);
  const { collections } = await listCollections(deps, people, { everywhere: true, limit: 10 });
  expect(
    collections.map(({ workspace: { agentId, userId }, collection }) => [agentId, userId, collection]),
  ).toEqual([
    [null, null, "all"],
    ["one", null, "team"],
    ["one", "ann", "own"],
  ]);
  const ofAgent = await listCollections(deps, bob, { everywhere: true, limit: 1 });
  expect([ofAgent.collections[0]?.collection, ofAgent.usage]).toEqual(["team", null]);
  const { nextCursor } = ofAgent;
  const rest = await listCollections(deps, bob, { everywhere: true, limit: 5, cursor: nextCursor ?? "" });
  expect(rest.collections.map(({ collection }) => collection)).toEqual(["own"]);
});
