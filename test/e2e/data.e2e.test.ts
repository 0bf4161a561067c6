import { newAgentTenant } from "../support/agents.ts";
import { sharedProduct } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import type { Client } from "../support/client.ts";

const product = await sharedProduct();
let owner: Client;
let agent: Client;
let stranger: Client;

const DATA = "/api/v1/data";

beforeAll(async () => {
  ({ owner, one: agent } = await newAgentTenant(product));
  ({ owner: stranger } = await newAgentTenant(product));
});

const put = (
  path: string,
  value: unknown,
  { client = owner, headers = {}, ...more }: { client?: Client; headers?: object; ttlSeconds?: number } = {},
) =>
  client.raw("PUT", DATA + path, JSON.stringify({ value, ...more }), {
    "content-type": "application/json",
    ...headers,
  });

test("[G12] a document is written, read, changed by its version and deleted, and told in the audit log", async () => {
  product.showLogsIfTestFails();
  const made = await put("/notes/a%2Fb%20%E2%98%83", { n: 1 }, { headers: { "if-none-match": "*" } });
  expect([made.status, made.headers.get("location"), made.headers.get("etag")]).toEqual([
    201,
    `${DATA}/notes/a%2Fb%20%E2%98%83`,
    '"1"',
  ]);
  expect(made.body.data).toMatchObject({ id: "a/b ☃", value: { n: 1 }, version: 1, expiresAt: null });
  const path = "/notes/a%2Fb%20%E2%98%83";
  expect((await put(path, 2, { headers: { "if-none-match": "*" } })).status).toBe(412);
  expect((await put(path, 2, { headers: { "if-match": '"7"' } })).body.code).toBe("data.precondition_failed");
  expect((await put(path, 2, { headers: { "if-match": '"1"' } })).body.data.version).toBe(2);
  const read = await owner.get(DATA + path);
  expect([read.headers.get("etag"), read.body.data.value]).toEqual(['"2"', 2]);
  expect((await put("/notes/new", 1, { headers: { "if-match": "*" } })).status).toBe(412);
  expect((await put("/notes/short", 1, { ttlSeconds: 60 })).body.data.expiresAt).toEqual(expect.any(String));
  expect((await owner.delete(DATA + path, { "if-match": '"1"' })).status).toBe(412);
  expect((await owner.delete(DATA + path, { "if-match": '"2"' })).body.data).toEqual({ deleted: true });
  expect((await owner.delete(DATA + path)).body.code).toBe("data.not_found");
  expect((await owner.get(DATA + path)).status).toBe(404);
  const { entries } = (await owner.get("/api/v1/audit?subjectType=data")).body.data;
  expect(entries.map(({ action }: { action: string }) => action)).toEqual([
    "data.deleted",
    "data.written",
    "data.written",
    "data.written",
  ]);
});

test("[G12] documents are found by what they hold, page by page; a wrong question is told by its field", async () => {
  for (const n of [1, 2, 3, 4, 5]) await put(`/found/d${n}`, { n, even: n % 2 === 0 });
  const find = (query: Record<string, string>) =>
    owner.get(`${DATA}/found?${new URLSearchParams(query).toString()}`).then(({ body }) => body);
  const idsOf = ({ data }: Awaited<ReturnType<typeof find>>) =>
    data.documents.map(({ id }: { id: string }) => id);
  const first = await find({ where: '{"n": {"gte": 2}}', orderBy: "-n", limit: "2" });
  expect(idsOf(first)).toEqual(["d5", "d4"]);
  const cursor = first.data.nextCursor;
  expect(idsOf(await find({ where: '{"n": {"gte": 2}}', orderBy: "-n", limit: "2", cursor }))).toEqual([
    "d3",
    "d2",
  ]);
  expect(idsOf(await find({ where: '{"even": true}' }))).toEqual(["d2", "d4"]);
  for (const [query, path] of [
    [{ where: "{" }, "where"],
    [{ where: "[]" }, "where"],
    [{ where: '{"n": {"near": 1}}' }, "where.n.near"],
    [{ orderBy: "$size" }, "orderBy"],
    [{ cursor }, "cursor"],
    [{ limit: "201" }, "limit"],
  ] as [Record<string, string>, string][])
    expect(await find(query), path).toMatchObject({ status: 400, errors: [{ path }] });
  expect((await owner.get(`${DATA}/none`)).body.data).toEqual({ documents: [], nextCursor: null });
  expect((await owner.get(`${DATA}/1no`)).status).toBe(400);
  expect((await put("/found/x", "a\0")).body).toMatchObject({ errors: [{ path: "value" }] });
  const large = await put("/found/x", "x".repeat(70_000));
  expect([large.status, large.body.code]).toEqual([413, "data.too_large"]);
});

test("agents' keys have their own agent's alone, and nobody another tenant's", async () => {
  await put("/own/x?agentId=one", "one");
  await put("/own/x?agentId=one&userId=ann", "ann");
  await put("/own/x", "tenant");
  const read = async (client: Client, query = "") => (await client.get(`${DATA}/own/x${query}`)).body;
  expect([(await read(agent)).data.value, (await read(agent, "?userId=ann")).data.value]).toEqual([
    "one",
    "ann",
  ]);
  expect(await read(agent, "?agentId=two")).toMatchObject({ status: 400, errors: [{ path: "agentId" }] });
  expect((await read(stranger)).code).toBe("data.not_found");
  expect((await read(stranger, "?agentId=one")).code).toBe("data.not_found");
  const list = async (client: Client, query: string) => (await client.get(`${DATA}${query}`)).body.data;
  const mine = await list(agent, "?everywhere=true");
  expect(mine.collections).toEqual([
    { name: "own", agentId: "one", userId: null, documents: 1, bytes: 5 },
    { name: "own", agentId: "one", userId: "ann", documents: 1, bytes: 5 },
  ]);
  expect(mine.usage).toBeUndefined();
  const all = await list(owner, "?everywhere=true&limit=2");
  expect(all.usage.documents).toBeGreaterThanOrEqual(3);
  const rest = await list(owner, `?everywhere=true&cursor=${all.nextCursor}`);
  expect([...all.collections, ...rest.collections]).toEqual(expect.arrayContaining(mine.collections));
  expect((await list(stranger, "?everywhere=true")).collections).toEqual([]);
});
