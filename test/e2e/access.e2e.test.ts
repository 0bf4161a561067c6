import { apiBeside, openSse, sharedProduct, until, type SseReader } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import { Client, createTool, newTenant, type Answer } from "../support/client.ts";

const product = await sharedProduct();
/** Another API of the same product. */
const beside = { url: await apiBeside() };
let admin: Client;
let tenant: { id: string; owner: Client };
let keys: string;
/** A key that ends while these tests run, and what it has open at the second API. */
let ending: { id: string; key: string; expiresAt: string };
let endingStream: SseReader;
const ENDS_IN_MS = 10_000;

beforeAll(async () => {
  admin = new Client(product.url, product.adminKey);
  tenant = await newTenant(product);
  keys = `/api/v1/tenants/${tenant.id}/api-keys`;
  ending = await newKey({ role: "viewer", expiresAt: new Date(Date.now() + ENDS_IN_MS).toISOString() });
  const headers = { authorization: `Bearer ${ending.key}` };
  endingStream = await openSse(`${beside.url}/api/v1/events`, { headers });
  await createTool(tenant.owner, "echo", "emit(args.n); return args.n;");
  await createTool(tenant.owner, "other", "return 1;");
});

const at = (place: 0 | 1, key: string): Client => new Client([product, beside][place]?.url ?? "", key);
const newKey = async (fields: object = {}) => {
  const { status, body } = await admin.post(keys, { name: "a key", role: "owner", ...fields });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data;
};
const tokenOf = async (client: Client, scope: object): Promise<string> => {
  const { status, body } = await client.post("/api/v1/access-tokens", { scope, expiresInSeconds: 600 });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data.token;
};
const execute = (client: Client, tool: string, more: object = {}) =>
  client.post(`/api/v1/custom-tools/${tool}/execute`, { arguments: { n: 7 }, ...more });
const read = (client: Client, executionId: string) => client.get(`/api/v1/executions/${executionId}`);
/** An answer without what differs from call to call. */
const bare = ({ status, body: { meta: _meta, instance: _instance, ...body } }: Answer) => ({
  status,
  ...body,
});
const refused = async (client: Client) => {
  const answer = await client.get("/api/v1/me");
  return answer.status === 401 ? answer : null;
};

test("[R50] GET /me tells any key who it is, and what there is", async () => {
  const { id, key } = await newKey({ name: "bot", role: "agent", agentId: "bot-1" });
  const { body } = await at(1, key).get("/api/v1/me");
  const features = { console: expect.any(Boolean), mcp: true };
  expect(body.data).toMatchObject({
    tenant: { id: tenant.id, slug: expect.any(String), name: expect.any(String) },
    key: { id, name: "bot", role: "agent", agentId: "bot-1" },
    limits: { weight: expect.any(Number) },
    settings: { approval: expect.any(Object) },
    features,
  });
  expect((await admin.get("/api/v1/me")).body.data).toMatchObject({
    tenant: null,
    key: { id: "admin", name: "admin", role: "admin" },
    limits: null,
    settings: null,
    features,
  });
});

test("[R51] a key gets a new secret while the old one works, and loses both when it is deleted", async () => {
  const { id, key: first } = await newKey();
  const rotate = (body?: object) => tenant.owner.post(`${keys}/${id}/rotate`, body);
  const opens = async (key: string) =>
    Promise.all([at(0, key), at(1, key)].map(async (client) => (await client.get("/api/v1/me")).status));
  const second = (await rotate()).body.data;
  expect(second).toMatchObject({ id, name: "a key", role: "owner", key: expect.stringMatching(/^bh_/) });
  // An hour, unless said.
  expect(Date.parse(second.formerUntil) - Date.now()).toBeGreaterThan(3_000_000);
  const { apiKeys } = (await tenant.owner.get(keys)).body.data;
  const listed = apiKeys.map((one: { id: string; formerUntil?: string }) => [one.id, one.formerUntil]);
  expect(Object.fromEntries(listed)).toMatchObject({ [id]: second.formerUntil, [ending.id]: undefined });
  expect([await opens(first), await opens(second.key)]).toEqual([
    [200, 200],
    [200, 200],
  ]);
  const third = (await rotate({ overlapSeconds: 60 })).body.data.key;
  await until(() => refused(at(1, first)), { what: "the oldest secret is gone" });
  expect([await opens(first), await opens(second.key), await opens(third)]).toEqual([
    [401, 401],
    [200, 200],
    [200, 200],
  ]);
  const { key: fourth } = (await rotate({ overlapSeconds: 0 })).body.data;
  await until(() => refused(at(1, third)), { what: "what has no overlap is gone" });
  expect((await rotate({ overlapSeconds: 604_801 })).body.errors[0].path).toBe("overlapSeconds");
  await tenant.owner.delete(`${keys}/${id}`);
  await until(() => refused(at(1, fourth)), { what: "the key is gone" });
  expect((await rotate()).body.code).toBe("api_key.not_found");
  const { entries } = (await tenant.owner.get(`/api/v1/audit?subjectId=${id}`)).body.data;
  expect(
    entries.map(({ action, details }: { action: string; details: object }) => [action, details]),
  ).toEqual([
    ["api_key.deleted", {}],
    ["api_key.rotated", { overlapSeconds: 0 }],
    ["api_key.rotated", { overlapSeconds: 60 }],
    ["api_key.rotated", { overlapSeconds: 3_600 }],
    ["api_key.created", { role: "owner", agentId: null }],
  ]);
});

test("[R54] a policy that is put at one API is obeyed at another one, which remembers the key", async () => {
  const { key } = await newKey({ role: "agent", agentId: "watched" });
  const names = async (): Promise<string> => {
    const { body } = await at(1, key).get("/api/v1/custom-tools/active/definitions");
    return body.data.tools.map(({ name }: { name: string }) => name).join();
  };
  const put = (policy: object) =>
    tenant.owner.raw("PUT", "/api/v1/policy", JSON.stringify(policy), { "content-type": "application/json" });
  expect((await names()).split(",").toSorted()).toEqual(["echo", "other"]);
  expect((await put({ agents: { watched: { deny: ["other"] } } })).status).toBe(200);
  await until(async () => (await names()) === "echo", { what: "the other API leaves out what is denied" });
  expect((await execute(at(1, key), "other")).status).toBe(404);
  expect((await put({})).status).toBe(200);
  await until(async () => (await names()).includes("other"), { what: "it is there again" });
});

test("[R52] an access token runs, reads and follows what its scope names, and nothing else", async () => {
  const theirs = (await execute(tenant.owner, "other")).body.data.executionId;
  const shown = (await execute(tenant.owner, "other")).body.data.executionId;
  const operations = ["execute", "read", "stream"];
  const token = await tokenOf(tenant.owner, { operations, tools: ["echo"], executions: [shown] });
  const client = at(1, token);
  const { status, body } = await execute(client, "echo");
  expect([status, body.data.result]).toEqual([200, 7]);
  const own = body.data.executionId;
  expect((await read(client, own)).body.data).toMatchObject({ id: own, result: 7 });
  expect((await read(client, shown)).status).toBe(200);
  for (const [id, expected] of [
    [own, 200],
    [shown, 200],
    [theirs, 404],
  ] as const)
    expect((await client.get(`/api/v1/executions/${id}/arguments`)).status).toBe(expected);
  const nothing = bare(await read(tenant.owner, "exe_00000000000000000000000000000000"));
  expect(bare(await read(client, theirs))).toEqual(nothing);
  expect(bare(await client.get(`/api/v1/executions/${theirs}/events`))).toEqual(nothing);
  const noTool = bare(await execute(tenant.owner, "not_there"));
  expect(bare(await execute(client, "other"))).toEqual(noTool);
  expect(bare(await execute(client, "other", { version: 9 }))).toEqual(noTool);
  // Another token of the same key sees nothing of what this one has made.
  const other = at(0, await tokenOf(tenant.owner, { operations, tools: ["echo"] }));
  expect(bare(await read(other, own))).toEqual(nothing);

  const events = async (url: string) => {
    const reader = await openSse(url, {});
    return (await reader.rest()).map(({ event }) => event);
  };
  const follow = `${product.url}/api/v1/executions/${own}/events`;
  expect((await events(`${follow}?access_token=${token}`)).at(-1)).toBe("execution.succeeded");
  const elsewhere = await at(0, "").get(`/api/v1/executions/${own}?access_token=${token}`);
  expect(elsewhere.status).toBe(401);
  expect(JSON.stringify(elsewhere.body)).not.toContain(token);

  const outOfScope = await Promise.all([
    client.get("/api/v1/me"),
    client.get("/api/v1/executions"),
    client.get("/api/v1/custom-tools"),
    client.get("/api/v1/events"),
    client.get(`/api/v1/executions/${own}/attempts`),
    client.post(`/api/v1/executions/${own}/cancel`),
    client.post("/api/v1/executions/batch", { executions: [{ tool: "echo" }] }),
    execute(client, "echo", { store: false }),
    execute(client, "echo", { callback: { url: "https://evil.example" } }),
    client.post("/api/v1/access-tokens", { scope: { operations }, expiresInSeconds: 1 }),
    client.post(keys, { name: "x", role: "owner" }),
    at(1, await tokenOf(tenant.owner, { operations: ["execute"] })).get(`/api/v1/executions/${own}`),
  ]);
  for (const answer of outOfScope)
    expect([answer.status, answer.body.code]).toEqual([403, "access_token.out_of_scope"]);
  expect((await client.post("/api/v1/session", { key: token })).status).toBe(401);
  expect(await product.logs()).not.toContain(token);
});

test("[R52] an access token lives through another secret of its key, and dies with it at every API", async () => {
  const { id, key } = await newKey();
  const token = await tokenOf(at(0, key), { operations: ["execute", "stream"] });
  await tenant.owner.post(`${keys}/${id}/rotate`, { overlapSeconds: 0 });
  expect((await execute(at(1, token), "echo")).status).toBe(200);
  await tenant.owner.delete(`${keys}/${id}`);
  const dead = await until(
    async () => {
      const answer = await execute(at(1, token), "echo");
      return answer.status === 401 ? answer : null;
    },
    { what: "the token is dead" },
  );
  expect(dead.body.code).toBe("auth.invalid_key");
});

test("[R53] a browser's session is taken by every API, and its writes are its own page's alone", async () => {
  const { id, key } = await newKey();
  const begun = await at(0, "").post("/api/v1/session", { key });
  expect([begun.status, begun.body]).toEqual([204, ""]);
  const cookie = begun.headers.get("set-cookie")?.split(";")[0] ?? "";
  const there = new Client(beside.url, null);
  expect((await there.get("/api/v1/me", { cookie })).body.data.key.id).toBe(id);
  const settings = (headers: Record<string, string>) =>
    there.patch(
      "/api/v1/tenant/settings",
      { approval: { developersMayApprove: true } },
      { cookie, ...headers },
    );
  expect((await settings({ origin: there.url })).body).toMatchObject({
    status: 403,
    code: "session.forgery",
  });
  const own = { origin: there.url, "x-bulkhead-session": "1" };
  expect((await settings({ ...own, origin: "https://evil.example" })).body.code).toBe("session.forgery");
  expect((await settings(own)).status).toBe(200);
  await tenant.owner.delete(`${keys}/${id}`);
  await until(async () => (await there.get("/api/v1/me", { cookie })).status === 401, {
    what: "it has ended",
  });
});

test("[R51] a key ends by itself: as an unknown one, at every API, with what it has open", async () => {
  for (const expiresAt of [new Date(0), new Date(Date.now() + 4_000 * 86_400_000)].map((one) =>
    one.toJSON(),
  )) {
    const { status, body } = await admin.post(keys, { name: "x", role: "owner", expiresAt });
    expect([status, body.errors?.[0].path]).toEqual([400, "expiresAt"]);
  }
  const { id, key, expiresAt } = ending;
  const told = (await endingStream.rest()).map(({ data }) => data["toolName"]);
  expect(told).toEqual(["echo", "other"]);
  const unknown = bare(await at(0, "bh_unknown").get("/api/v1/me"));
  for (const client of [at(0, key), at(1, key)])
    expect(bare(await until(() => refused(client), { what: "it is refused" }))).toEqual(unknown);
  const shown = async () =>
    (await admin.get(keys)).body.data.apiKeys.find((one: { id: string }) => one.id === id);
  await until(async () => (await shown()).lastUsedAt, { what: "its use is written down" });
  expect(await shown()).toMatchObject({ expiresAt, role: "viewer" });
});
