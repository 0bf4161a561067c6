import {
  mcpAccessOf,
  MCP_GRANTS_MAX,
  MCP_REQUESTS_FOR_ONE_MAX,
  MCP_REQUESTS_MAX,
  newMcpRequestId,
  type McpAccessRequest,
  type McpGrant,
} from "@bulkhead/core";
import { isNightly, queryRows } from "@bulkhead/testing";
import { beforeEach, describe, expect, test } from "vitest";
import { sampleTenant } from "../fixtures/samples.ts";
import { database, testDatabase, useStores } from "../fixtures/stores.ts";

useStores();

/** Each test has a tenant with one server, which no agent gets. */
let tenantId: string;
const FILES = "files";
beforeEach(async () => {
  tenantId = (await database.tenants.create(sampleTenant())).id;
  await database.mcpServers.create({
    tenantId,
    name: FILES,
    transport: "streamable-http",
    url: "https://files.example/mcp",
    command: null,
    args: [],
    env: {},
    headers: {},
    toolPrefix: null,
    timeoutMs: 1_000,
    agentIds: [],
  });
});

const grant = (said: Partial<McpGrant> = {}): McpGrant => ({
  scope: "agent",
  id: "alpha",
  toolAllow: null,
  toolDeny: [],
  enabled: true,
  ...said,
});
const put = (said: Partial<McpGrant> = {}) => database.mcpAccess.putGrant(tenantId, FILES, grant(said));
const allowed = async (agentId: string, tool = "read"): Promise<boolean> => {
  const policy = await database.policies.find(tenantId);
  return mcpAccessOf(policy?.mcp ?? {}, { agentId }, { server: FILES, tool }).allowed;
};
const version = async () => (await database.policies.find(tenantId))?.mcpVersion ?? 0;

const ask = (said: Partial<McpAccessRequest> = {}) =>
  database.mcpAccess.request({
    requestId: newMcpRequestId(),
    tenantId,
    server: FILES,
    scope: "agent",
    id: "alpha",
    toolAllow: ["read"],
    reason: "to read",
    requestedBy: "key_1",
    createdAt: new Date(),
    ...said,
  });
const asked = async (said: Partial<McpAccessRequest> = {}): Promise<McpAccessRequest> => {
  const request = await ask(said);
  if (request === null || request === "full") throw new Error(`it was not taken: ${request}`);
  return request;
};
const answer = (requestId: string, status: "approved" | "rejected") =>
  database.mcpAccess.answer(tenantId, requestId, { status, keyId: "key_2", reason: null, at: new Date() });

describe("a grant", () => {
  test("is put in the place of the one before, and holds from the next read of the policy on", async () => {
    const before = await version();
    expect(await allowed("alpha")).toBe(false);
    expect(await put()).toEqual(grant());
    expect(await allowed("alpha")).toBe(true);
    expect(await put({ toolAllow: ["read", "list"], toolDeny: ["read"] })).toMatchObject({
      toolDeny: ["read"],
    });
    expect([await allowed("alpha"), await allowed("alpha", "list")]).toEqual([false, true]);
    expect(await database.mcpAccess.grantsOf(tenantId, FILES)).toHaveLength(1);
    expect(await version()).toBe(before + 2);
    expect(await database.mcpAccess.deleteGrant(tenantId, FILES, grant())).toBe(true);
    expect(await database.mcpAccess.deleteGrant(tenantId, FILES, grant())).toBe(false);
    expect([await allowed("alpha"), await version()]).toEqual([false, before + 3]);
  });

  test("is for a server that is there", async () => {
    expect(await database.mcpAccess.putGrant(tenantId, "nobodys", grant())).toBeNull();
  });

  test("is one of a bounded number, however many are made at once", async () => {
    await queryRows(
      testDatabase.url,
      `INSERT INTO mcp_grants (tenant_id, server, scope, id, tool_deny, enabled)
        SELECT $1, 'files', 'agent', 'a' || n, '[]', true FROM generate_series(1, $2::int) AS n`,
      [tenantId, MCP_GRANTS_MAX - 1],
    );
    const made = await Promise.all(["x", "y", "z"].map((id) => put({ id })));
    expect(made.filter((one) => one === "full")).toHaveLength(2);
    expect(await put({ id: "a1", enabled: false })).toMatchObject({ id: "a1", enabled: false });
  });

  test("and all others of the tenant together have bounded lists", async () => {
    const tools = (mark: string) => Array.from({ length: 500 }, (_, n) => `${mark}${n}`.padEnd(900, "x"));
    expect(await put({ id: "a", toolAllow: tools("a") })).not.toBe("full");
    expect(await put({ id: "b", toolAllow: tools("b") })).not.toBe("full");
    const before = await version();
    expect(await put({ id: "c", toolAllow: tools("c") })).toBe("full");
    const request = await asked({ id: "c", toolAllow: tools("c") });
    expect(await answer(request.requestId, "approved")).toBe("full");
    expect(await database.mcpAccess.requests(tenantId, { status: "pending", limit: 9 })).toHaveLength(1);
    expect([await database.mcpAccess.grantsOf(tenantId, FILES), await version()]).toEqual([
      [expect.objectContaining({ id: "a" }), expect.objectContaining({ id: "b" })],
      before,
    ]);
  });
});

describe("a request", () => {
  test("makes its grant in the moment of its approval", async () => {
    const { requestId } = await asked();
    const approved = await answer(requestId, "approved");
    expect(approved).toMatchObject({
      status: "approved",
      answeredBy: "key_2",
      answer: null,
      reason: "to read",
    });
    expect(await database.mcpAccess.grantsOf(tenantId, FILES)).toEqual([grant({ toolAllow: ["read"] })]);
    expect([await allowed("alpha"), await allowed("alpha", "write")]).toEqual([true, false]);
  });

  test("adds its tools to a grant, which goes on to take away what it took", async () => {
    await put({ toolAllow: ["list"], toolDeny: ["write"] });
    await answer((await asked({ toolAllow: ["read", "write"] })).requestId, "approved");
    const [both] = await database.mcpAccess.grantsOf(tenantId, FILES);
    expect(both).toEqual(grant({ toolAllow: ["list", "read", "write"], toolDeny: ["write"] }));
    expect([await allowed("alpha", "read"), await allowed("alpha", "write")]).toEqual([true, false]);
    await answer((await asked({ toolAllow: null })).requestId, "approved");
    expect((await database.mcpAccess.grantsOf(tenantId, FILES))[0]?.toolAllow).toBeNull();
  });

  test("that is rejected grants nothing", async () => {
    const before = await version();
    const { requestId } = await asked();
    expect(await answer(requestId, "rejected")).toMatchObject({ status: "rejected" });
    expect([await database.mcpAccess.grantsOf(tenantId, FILES), await version()]).toEqual([[], before]);
  });

  test("is answered once, by whoever is first", async () => {
    const { requestId } = await asked();
    const answers = await Promise.all([answer(requestId, "approved"), answer(requestId, "rejected")]);
    expect(answers.filter((one) => one === "answered")).toHaveLength(1);
    const [request] = await database.mcpAccess.requests(tenantId, { limit: 9 });
    const granted = (await database.mcpAccess.grantsOf(tenantId, FILES)).length === 1;
    expect(granted).toBe(request?.status === "approved");
    expect(await answer("mar_0000000000000000", "approved")).toBeNull();
  });

  test("for what is waited for already is answered with the one that waits, even at the same moment", async () => {
    const both = await Promise.all([asked({ toolAllow: ["a", "b"] }), asked({ toolAllow: ["b", "a"] })]);
    expect(new Set(both.map(({ requestId }) => requestId)).size).toBe(1);
    expect((await asked({ toolAllow: null })).requestId).not.toBe(both[0].requestId);
    await answer(both[0].requestId, "rejected");
    expect((await asked({ toolAllow: ["a", "b"] })).requestId).not.toBe(both[0].requestId);
  });

  test("is one of a bounded number that wait, and of a server that is there", async () => {
    await queryRows(
      testDatabase.url,
      `INSERT INTO mcp_access_requests (id, tenant_id, server, scope, grantee, requested_by, created_at)
        SELECT 'mar_' || lpad(n::text, 16, '0'), $1, 'files', 'agent', 'a' || n, 'key_1', now()
        FROM generate_series(1, $2::int) AS n`,
      [tenantId, MCP_REQUESTS_MAX - 1],
    );
    const made = await Promise.all(["x", "y", "z"].map((id) => ask({ id })));
    expect(made.filter((one) => one === "full")).toHaveLength(2);
    expect(await ask({ server: "nobodys" })).toBeNull();
  });

  test.runIf(isNightly)(
    "is one of a bounded number for one agent, which leaves the others their room",
    async () => {
      const wishes = Array.from({ length: MCP_REQUESTS_FOR_ONE_MAX }, (_, n) =>
        ask({ toolAllow: [`t${n}`] }),
      );
      expect(await Promise.all(wishes)).not.toContain("full");
      expect(await ask({ toolAllow: ["more"] })).toBe("full");
      expect(await asked({ toolAllow: ["t0"] })).toMatchObject({ toolAllow: ["t0"] });
      expect(await asked({ id: "beta" })).toMatchObject({ id: "beta" });
    },
  );

  test("is listed newest first, page by page, to those who may see it", async () => {
    const at = new Date();
    const ids = await Promise.all(
      ["a", "b", "c"].map(async (id) => (await asked({ id, createdAt: at })).requestId),
    );
    const newest = await asked({ id: "d", createdAt: new Date(at.getTime() + 1), requestedBy: "key_9" });
    const all = await database.mcpAccess.requests(tenantId, { limit: 9 });
    expect(all.map(({ requestId }) => requestId)).toEqual([newest.requestId, ...ids.toSorted().toReversed()]);
    const page = await database.mcpAccess.requests(tenantId, { limit: 2, ...(all[1] && { before: all[1] }) });
    expect(page).toEqual(all.slice(2));
    const own = await database.mcpAccess.requests(tenantId, { requestedBy: "key_9", limit: 9 });
    expect(own).toEqual([newest]);
    expect(await database.mcpAccess.requests(tenantId, { server: "nobodys", limit: 9 })).toEqual([]);
  });
});

test("what a server's grants and requests say goes with it", async () => {
  await put();
  await asked({ id: "beta" });
  await database.mcpServers.delete({ tenantId, name: FILES });
  expect(await database.mcpAccess.grantsOf(tenantId, FILES)).toEqual([]);
  expect(await database.mcpAccess.requests(tenantId, { limit: 9 })).toEqual([]);
  expect((await database.policies.find(tenantId))?.mcp).toEqual({});
});
