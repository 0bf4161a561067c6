import {
  MCP_SERVERS_MAX,
  newScheduleId,
  newTenantId,
  newToolId,
  type McpServer,
  type McpServerKey,
  type McpServerSetup,
} from "@bulkhead/core";
import { describe, expect, test } from "vitest";
import { ALL_TOOLS, sampleTenant, sampleTool } from "../fixtures/samples.ts";
import { database, otherId, tenantId, useTwoTenants } from "../fixtures/stores.ts";

useTwoTenants();

const setupOf = (fields: Partial<McpServerKey & McpServerSetup> = {}): McpServerKey & McpServerSetup => ({
  tenantId,
  name: "files",
  transport: "streamable-http",
  url: "https://files.example/mcp",
  command: null,
  args: [],
  env: {},
  headers: { authorization: { config: "files.token" }, "x-team": "blue" },
  toolPrefix: null,
  timeoutMs: 60_000,
  agentIds: null,
  ...fields,
});

const accessVersion = async (id = tenantId) => (await database.policies.find(id))?.mcpVersion;
async function serverNow(key: McpServerKey): Promise<McpServer> {
  const server = await database.mcpServers.find(key);
  if (server === null) throw new Error(`there is no server ${key.name}`);
  return server;
}
const ownTenant = async () => (await database.tenants.create(sampleTenant())).id;

describe("a server", () => {
  test("is its tenant's, once under its name, and read as it was said", async () => {
    const created = await database.mcpServers.create(setupOf());
    expect(created).toMatchObject({ ...setupOf(), enabled: true, state: "idle", failures: 0, revision: 1 });
    expect(await database.mcpServers.find({ tenantId, name: "files" })).toEqual(created);
    expect(await database.mcpServers.create(setupOf())).toBe("taken");
    expect(await database.mcpServers.find({ tenantId: otherId, name: "files" })).toBeNull();
    expect(await database.mcpServers.list(otherId)).toEqual([]);
    await database.mcpServers.create(
      setupOf({ name: "a_process", transport: "stdio", url: null, command: "/bin/x", args: ["-v"] }),
    );
    expect((await database.mcpServers.list(tenantId)).map(({ name }) => name)).toEqual([
      "a_process",
      "files",
    ]);
    expect(await database.mcpServers.create(setupOf({ tenantId: newTenantId() }))).toBeNull();
  });

  test("begins anew with every change but one of who may use it", async () => {
    const id = await ownTenant();
    const key = { tenantId: id, name: "files" };
    await database.mcpServers.create(setupOf(key));
    const first = await serverNow(key);
    await database.mcpServers.setState(first, { state: "failed", stateReason: "no answer", failures: 10 });
    const listed = await database.mcpServers.update(key, { agentIds: ["alpha"] });
    expect(listed).toMatchObject({ agentIds: ["alpha"], state: "failed", failures: 10, revision: 1 });
    const moved = await database.mcpServers.update(key, { url: "https://other.example/mcp" });
    expect(moved).toMatchObject({ state: "idle", stateReason: null, failures: 0, revision: 2 });
    // Whoever was connected to what it was before tells nothing any more.
    await database.mcpServers.setState(first, { state: "connected", stateReason: null, failures: 0 });
    expect((await database.mcpServers.find(key))?.state).toBe("idle");
    expect(await database.mcpServers.update({ ...key, name: "nobodys" }, { enabled: false })).toBeNull();
  });

  test("that was deleted says nothing of the next one under its name", async () => {
    const key = { tenantId: await ownTenant(), name: "files" };
    await database.mcpServers.create(setupOf(key));
    const first = await serverNow(key);
    await database.mcpServers.delete(key);
    await database.mcpServers.create(setupOf(key));
    await database.mcpServers.setState(first, { state: "failed", stateReason: "no answer", failures: 10 });
    expect(await serverNow(key)).toMatchObject({
      state: "idle",
      stateReason: null,
      failures: 0,
      revision: 1,
    });
  });

  test("changes the version of the tenant's access where it says who may use it", async () => {
    const id = await ownTenant();
    const key = { tenantId: id, name: "files" };
    await database.mcpServers.create(setupOf(key));
    await database.mcpServers.update(key, { timeoutMs: 1_000 });
    expect(await accessVersion(id)).toBe(0);
    expect((await database.tenants.find(id))?.policyVersion).toBeUndefined();
    await database.mcpServers.update(key, { agentIds: [] });
    await database.mcpServers.update(key, { agentIds: null });
    await database.mcpServers.create(setupOf({ ...key, name: "second", agentIds: ["alpha"] }));
    expect(await accessVersion(id)).toBe(3);
    await database.mcpServers.delete(key);
    expect(await database.mcpServers.delete(key)).toBe(false);
    expect(await accessVersion(id)).toBe(4);
    expect((await database.tenants.find(id))?.policyVersion).toBe(4);
  });

  test("is one of a bounded number, however many are made at once", async () => {
    const id = await ownTenant();
    const names = Array.from({ length: MCP_SERVERS_MAX + 3 }, (_, n) => `s${n}`);
    const made: unknown[] = [];
    // As many at once as the pool has connections; each holds one.
    for (let at = 0; at < names.length; at += 4)
      made.push(
        ...(await Promise.all(
          names.slice(at, at + 4).map((name) => database.mcpServers.create(setupOf({ tenantId: id, name }))),
        )),
      );
    expect(made.filter((answer) => answer === "full")).toHaveLength(3);
    expect(await database.mcpServers.list(id)).toHaveLength(MCP_SERVERS_MAX);
  });

  test("goes with its tools, and their schedules are paused", async () => {
    const id = await ownTenant();
    const key = { tenantId: id, name: "files" };
    await database.mcpServers.create(setupOf(key));
    const mine = await database.tools.create(
      sampleTool(id, { id: newToolId(), mcp: { server: "files", tool: "read" } }),
    );
    const others = await database.tools.create(
      sampleTool(id, { id: newToolId(), mcp: { server: "web", tool: "read" } }),
    );
    const scheduleId = newScheduleId();
    await database.schedules.create(
      {
        scheduleId,
        tenantId: id,
        name: null,
        toolId: mine.id,
        toolName: mine.name,
        arguments: {},
        context: {},
        priority: 4,
        timeoutMs: 1_000,

        plan: {
          type: "every",
          everyMs: 60_000,
          anchorAt: new Date(),
        },
        missedRuns: "skip",
        overlap: "allow",
        status: "active",
        statusReason: null,
        nextRuns: [new Date()],

        createdBy: "key_1",
        madeByTool: null,
        createdAt: new Date(),
      },
      { ofTenant: 10, ofOwner: 10 },
    );
    expect(await database.mcpServers.delete(key)).toBe(true);
    expect(await database.tools.find(id, mine.id, ALL_TOOLS)).toBeNull();
    expect((await database.tools.find(id, others.id, ALL_TOOLS))?.mcp).toEqual({
      server: "web",
      tool: "read",
    });
    const schedule = await database.schedules.find({ tenantId: id, scheduleId });
    expect(schedule).toMatchObject({ status: "paused", nextRuns: [] });
  });

  test("has one tool of a name of its own", async () => {
    const mcp = { server: "once", tool: "read" };
    await database.tools.create(sampleTool(tenantId, { mcp }));
    await expect(database.tools.create(sampleTool(tenantId, { mcp }))).rejects.toMatchObject({
      code: "tool.changed",
    });
    await database.tools.create(sampleTool(otherId, { mcp }));
  });
});
