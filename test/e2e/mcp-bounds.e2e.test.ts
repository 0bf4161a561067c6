import { MCP_CALLS_MAX, MCP_KEY_SESSIONS_MAX } from "@bulkhead/core";
import { openMcpSessions, openStreamRedis } from "@bulkhead/redis";
import { sharedProduct } from "@bulkhead/testing";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTool, newTenant, type Client } from "../support/client.ts";

const product = await sharedProduct();
let tenant: { id: string; owner: Client };
let keyId: string;
let redis: Awaited<ReturnType<typeof openStreamRedis>>;
/** The sessions of the product, so that they need not be filled request by request. */
let sessions: ReturnType<typeof openMcpSessions>;

beforeAll(async () => {
  tenant = await newTenant(product);
  keyId = (await tenant.owner.get("/api/v1/me")).body.data.key.id;
  redis = await openStreamRedis({ redisUrl: product.redisUrl, onError: () => undefined });
  sessions = openMcpSessions(redis);
});
afterAll(() => redis.close());

const keyOf = () => ({ tenantId: tenant.id, keyId, sessionId: randomUUID() });
const ofMcp = (key: string | null, sessionId?: string) => ({
  accept: "application/json, text/event-stream",
  "content-type": "application/json",
  authorization: `Bearer ${key}`,
  ...(sessionId === undefined ? {} : { "mcp-session-id": sessionId }),
});
/** One message by hand, for a client that doesn't keep to what it is told. */
const send = (message: object, key: string | null, sessionId?: string) =>
  fetch(`${product.url}/mcp`, {
    method: "POST",
    headers: ofMcp(key, sessionId),
    body: JSON.stringify({ jsonrpc: "2.0", ...message }),
  });
const initialize = (key: string | null) =>
  send(
    {
      id: 7,
      method: "initialize",
      params: {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "greedy", version: "1" },
      },
    },
    key,
  );

test("one key has a part of its tenant's sessions, and another key has room then", async () => {
  const { id, owner } = tenant;
  const keys = Array.from({ length: MCP_KEY_SESSIONS_MAX }, keyOf);
  await Promise.all(keys.map((key) => sessions.open(key)));
  const refused = await initialize(owner.key);
  expect([refused.status, await refused.json()]).toEqual([
    429,
    {
      jsonrpc: "2.0",
      id: 7,
      error: {
        code: -32_000,
        message: expect.stringContaining(`This key has ${MCP_KEY_SESSIONS_MAX} MCP sessions`),
        data: { code: "mcp.too_many_sessions", retryable: true, retryAfterSeconds: expect.any(Number) },
      },
    },
  ]);
  const made = await owner.post(`/api/v1/tenants/${id}/api-keys`, { name: "another", role: "agent" });
  expect((await initialize(made.body.data.key)).status).toBe(200);
  const headers = ofMcp(owner.key, keys[0]?.sessionId);
  expect((await fetch(`${product.url}/mcp`, { method: "DELETE", headers })).status).toBe(204);
  expect((await initialize(owner.key)).status).toBe(200);
  await Promise.all(keys.map((key) => sessions.close(key)));
});

test("a session has so many calls without an answer, and one more is refused", async () => {
  const { owner } = tenant;
  await createTool(owner, "plain", "return 1", { approval: "preApproved" });
  const key = keyOf();
  await sessions.open(key);
  for (let n = 0; n < MCP_CALLS_MAX; n += 1)
    await sessions.touch(key, { requestId: `"${n}"`, executionId: `exe_${n}` });
  const call = { id: 7, method: "tools/call", params: { name: "plain", arguments: {} } };
  const refused = await send(call, owner.key, key.sessionId);
  expect([refused.status, await refused.json()]).toMatchObject([
    429,
    { id: 7, error: { code: -32_000, data: { code: "mcp.too_many_calls", retryable: true } } },
  ]);
  await sessions.endCall(key, '"0"');
  const answered = await send(call, owner.key, key.sessionId);
  expect([answered.status, await answered.text()]).toEqual([200, expect.stringContaining('"result"')]);
  await sessions.close(key);
});
