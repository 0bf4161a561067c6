import { RUN_LIMITS_DEFAULT, type ToolDefinition } from "@bulkhead/domain";
import { leakCheck, openTestDatabase, type TestDatabase } from "@bulkhead/testing";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleTenant, sampleTool } from "../fixtures/samples.ts";
import { openDatabase, type Database } from "../open-database.ts";

leakCheck();

let anchor: TestDatabase;
let database: Database;
let tenantId: string;
let otherId: string;

beforeAll(async () => {
  anchor = await openTestDatabase();
  database = await openDatabase({ url: anchor.url, poolMax: 4 });
  tenantId = (await database.tenants.create(sampleTenant())).id;
  otherId = (await database.tenants.create(sampleTenant())).id;
});
afterAll(async () => {
  await database.close();
  await anchor.close();
});

const NEXT_DEFINITION: ToolDefinition = {
  code: "return 2",
  parameters: { type: "object", properties: { z: {}, a: {} } },
  permissions: ["network"],
  limits: { ...RUN_LIMITS_DEFAULT, cpuMs: 100 },
  allowedHosts: ["api.example.com", "*.example.org:8443"],
};

describe("create and find", () => {
  test("a tool is found by id and by name exactly as it was created", async () => {
    const tool = sampleTool(tenantId, {
      category: "text",
      createdBy: "llm",
      permissions: ["network", "email"],
      metadata: { z: 1, a: { b: null } },
      requiredApiKeys: [{ name: "weather", displayName: "Weather" }],
      parameters: { type: "object", properties: { z: { type: "string" }, a: {} } },
    });
    const created = await database.tools.create(tool);
    const whole = {
      ...tool,
      statusReason: null,
      version: 1,
      usageCount: 0,
      lastUsedAt: null,
      updatedAt: tool.createdAt,
    };
    expect(created).toEqual(whole);
    expect(await database.tools.find(tenantId, tool.id)).toEqual(whole);
    const found = await database.tools.find(tenantId, tool.name);
    expect(JSON.stringify(found?.parameters)).toBe(JSON.stringify(tool.parameters));
  });

  test("a name is taken once in a tenant, also when two ask at once, and free in another", async () => {
    const name = "taken_name";
    const both = await Promise.allSettled([
      database.tools.create(sampleTool(tenantId, { name })),
      database.tools.create(sampleTool(tenantId, { name })),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(both.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { code: "tool.name_taken" },
    });
    expect(await database.tools.create(sampleTool(otherId, { name }))).toMatchObject({ name });
  });

  test("text that PostgreSQL can't hold is the caller's fault", async () => {
    for (const code of ["return '\u0000'", "return '\ud800'"]) {
      const tool = sampleTool(tenantId, { code });
      await expect(database.tools.create(tool)).rejects.toMatchObject({ code: "request.invalid" });
      expect(await database.tools.find(tenantId, tool.id)).toBeNull();
    }
  });
});

describe("update", () => {
  test("a new definition makes the next version; the old one stays as it was", async () => {
    const tool = await database.tools.create(sampleTool(tenantId));
    const updated = await database.tools.update(tenantId, tool.id, 1, { definition: NEXT_DEFINITION });
    expect(updated).toMatchObject({ ...NEXT_DEFINITION, version: 2, name: tool.name });
    expect(updated).toEqual(await database.tools.find(tenantId, tool.id));
    expect(await database.tools.findVersion(tenantId, tool.id, 1)).toMatchObject({
      code: "return 1",
      version: 1,
    });
    const versions = await database.tools.listVersions(tenantId, tool.id);
    expect(versions.map(({ version, code }) => [version, code])).toEqual([
      [2, "return 2"],
      [1, "return 1"],
    ]);
    expect(await database.tools.findVersion(tenantId, tool.id, 3)).toBeNull();
  });

  test("undefined fields stay, null takes away, and no version is made for what no run sees", async () => {
    const tool = await database.tools.create(sampleTool(tenantId, { category: "text", metadata: { a: 1 } }));
    const changed = await database.tools.update(tenantId, tool.id, 1, {
      name: "renamed",
      category: null,
      requiresApproval: true,
      requiredApiKeys: [{ name: "k" }],
    });
    expect(changed).toEqual({
      ...tool,
      name: "renamed",
      category: null,
      requiresApproval: true,
      requiredApiKeys: [{ name: "k" }],
      updatedAt: changed?.updatedAt,
    });
    expect(await database.tools.update(tenantId, tool.id, 1, { metadata: null })).toMatchObject({
      metadata: null,
    });
  });

  test("of two changes on one version exactly one is made", async () => {
    const tool = await database.tools.create(sampleTool(tenantId));
    const change = (code: string) =>
      database.tools.update(tenantId, tool.id, 1, { definition: { ...NEXT_DEFINITION, code } });
    const both = await Promise.all([change("return 'a'"), change("return 'b'")]);
    expect(both.filter((changed) => changed !== null)).toHaveLength(1);
    expect(await database.tools.listVersions(tenantId, tool.id)).toHaveLength(2);
  });

  test("to a taken name is refused and changes nothing", async () => {
    const first = await database.tools.create(sampleTool(tenantId));
    const tool = await database.tools.create(sampleTool(tenantId));
    const change = { name: first.name, definition: NEXT_DEFINITION };
    await expect(database.tools.update(tenantId, tool.id, 1, change)).rejects.toMatchObject({
      code: "tool.name_taken",
    });
    expect(await database.tools.find(tenantId, tool.id)).toEqual(tool);
  });

  test("a stored version can't be changed by anyone", async () => {
    const tool = await database.tools.create(sampleTool(tenantId));
    const client = new Client({ connectionString: anchor.url });
    await client.connect();
    try {
      const change = client.query("update tool_versions set code = 'x' where tool_id = $1", [tool.id]);
      await expect(change).rejects.toThrow("tool_versions is immutable");
    } finally {
      await client.end();
    }
  });
});

test("a status is moved only from where the caller thinks it is", async () => {
  const { id } = await database.tools.create(sampleTool(tenantId, { status: "pending_approval" }));
  expect(await database.tools.setStatus(tenantId, id, ["active", "disabled"], "disabled")).toBeNull();
  expect(await database.tools.setStatus(tenantId, id, ["pending_approval"], "active")).toMatchObject({
    status: "active",
    version: 1,
  });
});

test("a deleted tool takes its versions along and is deleted once", async () => {
  const { id } = await database.tools.create(sampleTool(tenantId));
  expect(await database.tools.delete(tenantId, id)).toBe(true);
  expect(await database.tools.delete(tenantId, id)).toBe(false);
  expect(await database.tools.find(tenantId, id)).toBeNull();
  expect(await database.tools.listVersions(tenantId, id)).toEqual([]);
});

test("the list is newest first, filtered and counted over all pages", async () => {
  const { id: ownerId } = await database.tenants.create(sampleTenant());
  const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
  for (const second of [2, 1, 3]) {
    const createdBy = second === 3 ? "llm" : "user";
    await database.tools.create(
      sampleTool(ownerId, { name: `tool_at_${second}`, createdAt: at(second), createdBy, category: "c" }),
    );
  }
  const page = async (fields: object) => {
    const { tools, count } = await database.tools.list(ownerId, { limit: 2, offset: 0, ...fields });
    return [tools.map(({ name }) => name), count];
  };
  expect(await page({})).toEqual([["tool_at_3", "tool_at_2"], 3]);
  expect(await page({ offset: 2 })).toEqual([["tool_at_1"], 3]);
  expect(await page({ offset: 9 })).toEqual([[], 3]);
  expect(await page({ createdBy: "user", category: "c", status: "active" })).toEqual([
    ["tool_at_2", "tool_at_1"],
    2,
  ]);
  expect(await page({ status: "disabled" })).toEqual([[], 0]);
});

test("another tenant's tool does not exist, whatever is asked", async () => {
  const { id, name } = await database.tools.create(sampleTool(tenantId));
  expect(await database.tools.find(otherId, id)).toBeNull();
  expect(await database.tools.find(otherId, name)).toBeNull();
  expect(await database.tools.update(otherId, id, 1, { description: "mine" })).toBeNull();
  expect(await database.tools.setStatus(otherId, id, ["active"], "disabled")).toBeNull();
  expect(await database.tools.delete(otherId, id)).toBe(false);
  expect(await database.tools.findVersion(otherId, id, 1)).toBeNull();
  expect(await database.tools.listVersions(otherId, id)).toEqual([]);
  const { tools } = await database.tools.list(otherId, { limit: 1_000, offset: 0 });
  expect(tools.map((tool) => tool.id)).not.toContain(id);
  expect(await database.tools.find(tenantId, id)).toMatchObject({ status: "active", version: 1 });
});
