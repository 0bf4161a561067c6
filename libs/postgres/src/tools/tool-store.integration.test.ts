import {
  contentHash,
  definitionOf,
  DEFAULT_CONFIG_SCHEMA,
  newToolId,
  RUN_LIMITS_DEFAULT,
  type ToolDefinition,
} from "@bulkhead/core";
import { asAdmin } from "@bulkhead/testing";
import { Client } from "pg";
import { describe, expect, test } from "vitest";
import { ALL_TOOLS, sampleTenant, sampleTool } from "../fixtures/samples.ts";
import { database, otherId, tenantId, testDatabase, useTwoTenants } from "../fixtures/stores.ts";

useTwoTenants();

const NEXT_DEFINITION: ToolDefinition = {
  code: "return 2 as number",
  language: "typescript",
  compiled: "return 2          ",
  outputSchema: { type: "number" },
  parameters: { type: "object", properties: { z: {}, a: {} } },
  permissions: ["network"],
  limits: { ...RUN_LIMITS_DEFAULT, cpuMs: 100 },
  allowedHosts: ["api.example.com", "*.example.org:8443"],
  services: ["smtp", "weather"],
};

test("of active tools those are listed first whose calls ask nobody, and then the newest", async () => {
  const { id } = await database.tenants.create(sampleTenant());
  for (const [at, requiresApproval] of [false, true, false, true, true].entries())
    await database.tools.create(
      sampleTool(id, {
        id: newToolId(),
        name: `tool${at}`,
        requiresApproval,
        createdAt: new Date(at * 1_000),
      }),
    );
  const listed = await database.tools.listActive(id, ALL_TOOLS, 3);
  expect(listed.map(({ name }) => name)).toEqual(["tool2", "tool0", "tool4"]);
});

describe("create and find", () => {
  test("a tool is found by id and by name exactly as it was created", async () => {
    const tool = sampleTool(tenantId, {
      mcp: { server: "files", tool: "read-it" },
      category: "text",
      createdBy: "llm",
      permissions: ["network", "email"],
      metadata: { z: 1, a: { b: null } },
      requiredApiKeys: [{ name: "weather", displayName: "Weather" }],
      requiredConfigServices: [
        { name: "smtp", multiEntry: true, configSchema: DEFAULT_CONFIG_SCHEMA.slice() },
      ],
      services: ["smtp", "weather"],
      parameters: { type: "object", properties: { z: { type: "string" }, a: {} } },
    });
    const created = await database.tools.create(tool);
    const { review: _none, ...stored } = tool;
    const whole = {
      ...stored,
      pendingVersion: null,
      statusReason: null,
      version: 1,
      contentHash: contentHash(tool),
      revision: 1,
      usageCount: 0,
      lastUsedAt: null,
      updatedAt: tool.createdAt,
    };
    expect(created).toEqual(whole);
    expect(await database.tools.find(tenantId, tool.id, ALL_TOOLS)).toEqual(whole);
    const found = await database.tools.find(tenantId, tool.name, ALL_TOOLS);
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

  test("many are created at once, in their order, or none of them is", async () => {
    const tools = [1, 2, 3].map((n) =>
      sampleTool(tenantId, {
        name: `many_${n}`,
        code: `return ${n}`,
        ...(n === 2 ? { allowedHosts: [] } : {}),
      }),
    );
    const created = await database.tools.createAll(tools);
    expect(created.map(({ name, code, contentHash: hash }) => [name, code, hash])).toEqual(
      tools.map((tool) => [tool.name, tool.code, contentHash(tool)]),
    );
    expect(await database.tools.find(tenantId, "many_2", ALL_TOOLS)).toEqual(created[1]);
    const more = ["fresh_1", "many_2", "fresh_3"].map((name) => sampleTool(tenantId, { name }));
    await expect(database.tools.createAll(more)).rejects.toMatchObject({ code: "tool.name_taken" });
    for (const name of ["fresh_1", "fresh_3"])
      expect(await database.tools.find(tenantId, name, ALL_TOOLS)).toBeNull();
    expect(await database.tools.createAll([])).toEqual([]);
  });

  test("changes go with them, each for the state it was judged for, or nothing is stored", async () => {
    const [one, two] = await database.tools.createAll([sampleTool(tenantId), sampleTool(tenantId)]);
    if (!one || !two) throw new Error("nothing was created");
    const change = {
      title: "t",
      alias: `A-${one.name}`,
      definition: { ...definitionOf(one), code: "return 2" },
    };
    const fresh = sampleTool(tenantId);
    const stored = await database.tools.createAll([fresh], [{ tool: one, change }]);
    expect(stored).toMatchObject([
      { id: fresh.id, version: 1 },
      { id: one.id, title: "t", alias: change.alias, version: 2, revision: 2, code: "return 2" },
    ]);
    const changed = await database.tools.find(tenantId, change.alias, ALL_TOOLS);
    expect(changed).toEqual(stored[1]);
    const late = [
      { tool: two, change: { title: "u" } },
      { tool: one, change: { title: "u" } },
    ];
    const other = sampleTool(tenantId);
    await expect(database.tools.createAll([other], late)).rejects.toMatchObject({ code: "tool.changed" });
    const taken = [{ tool: two, change: { title: "u", alias: change.alias } }];
    await expect(database.tools.createAll([other], taken)).rejects.toMatchObject({
      code: "tool.name_taken",
      errors: [{ path: "alias" }],
    });
    expect(await database.tools.find(tenantId, two.id, ALL_TOOLS)).toEqual(two);
    expect(await database.tools.find(tenantId, other.id, ALL_TOOLS)).toBeNull();
  });

  test("text that PostgreSQL can't hold is the caller's fault", async () => {
    for (const code of ["return '\u0000'", "return '\ud800'"]) {
      const tool = sampleTool(tenantId, { code });
      await expect(database.tools.create(tool)).rejects.toMatchObject({ code: "request.invalid" });
      expect(await database.tools.find(tenantId, tool.id, ALL_TOOLS)).toBeNull();
    }
  });
});

describe("update", () => {
  test("a new definition makes the next version; the old one stays as it was", async () => {
    const tool = await database.tools.create(sampleTool(tenantId));
    const updated = await database.tools.update(tenantId, tool.id, 1, { definition: NEXT_DEFINITION });
    expect(updated).toMatchObject({ ...NEXT_DEFINITION, version: 2, name: tool.name });
    expect(updated).toEqual(await database.tools.find(tenantId, tool.id, ALL_TOOLS));
    expect(await database.tools.findVersion(tenantId, tool.id, 1)).toMatchObject({
      code: "return 1",
      version: 1,
    });
    expect(await database.tools.findVersion(tenantId, tool.id, 2)).toMatchObject({
      ...NEXT_DEFINITION,
      contentHash: contentHash(NEXT_DEFINITION),
    });
    const versions = await database.tools.listVersions(tenantId, tool.id, { limit: 9 });
    expect(versions.map(({ version, language }) => [version, language])).toEqual([
      [2, "typescript"],
      [1, "javascript"],
    ]);
    expect(versions[0]).not.toHaveProperty("code");
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
      revision: 2,
      updatedAt: changed?.updatedAt,
    });
    expect(await database.tools.update(tenantId, tool.id, 2, { metadata: null })).toMatchObject({
      metadata: null,
    });
  });

  test("of two changes of one state exactly one is made", async () => {
    const tool = await database.tools.create(sampleTool(tenantId));
    const change = (code: string) =>
      database.tools.update(tenantId, tool.id, 1, { definition: { ...NEXT_DEFINITION, code } });
    const both = await Promise.all([change("return 'a'"), change("return 'b'")]);
    expect(both.filter((changed) => changed !== null)).toHaveLength(1);
    expect(await database.tools.listVersions(tenantId, tool.id, { limit: 9 })).toHaveLength(2);
  });

  test("versions are listed by pages, newest first", async () => {
    const tool = await database.tools.create(sampleTool(tenantId));
    for (let revision = 1; revision <= 4; revision += 1) {
      const definition = { ...NEXT_DEFINITION, code: `return ${revision} as number` };
      await database.tools.update(tenantId, tool.id, revision, { definition });
    }
    const page = async (limit: number, before?: number) =>
      (
        await database.tools.listVersions(tenantId, tool.id, {
          limit,
          ...(before === undefined ? {} : { before }),
        })
      ).map(({ version }) => version);
    expect([await page(2), await page(2, 4), await page(2, 2)]).toEqual([[5, 4], [3, 2], [1]]);
  });

  test("a version from before there was a hash is read with the hash that it would have", async () => {
    const tool = await database.tools.create(sampleTool(tenantId));
    await asAdmin(
      testDatabase.url,
      `INSERT INTO tool_versions (tool_id, version, code, parameters, permissions, limits, created_at)
       SELECT tool_id, 2, code, parameters, permissions, limits, created_at
       FROM tool_versions WHERE tool_id = '${tool.id}'`,
    );
    const old = await database.tools.findVersion(tenantId, tool.id, 2);
    expect(old?.contentHash).toBe(contentHash(tool));
    const [listed] = await database.tools.listVersions(tenantId, tool.id, { limit: 1 });
    expect(listed).toMatchObject({ version: 2, contentHash: contentHash(tool) });
  });

  test("to a taken name is refused and changes nothing", async () => {
    const first = await database.tools.create(sampleTool(tenantId));
    const tool = await database.tools.create(sampleTool(tenantId));
    const change = { name: first.name, definition: NEXT_DEFINITION };
    await expect(database.tools.update(tenantId, tool.id, 1, change)).rejects.toMatchObject({
      code: "tool.name_taken",
    });
    expect(await database.tools.find(tenantId, tool.id, ALL_TOOLS)).toEqual(tool);
  });

  test("a stored version can't be changed by anyone", async () => {
    const tool = await database.tools.create(sampleTool(tenantId));
    const client = new Client({ connectionString: testDatabase.url });
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
    revision: 2,
  });
});

test("a state that is gone is neither moved nor deleted", async () => {
  const { id } = await database.tools.create(sampleTool(tenantId));
  expect(await database.tools.setStatus(tenantId, id, ["active"], "disabled", 2)).toBeNull();
  expect(await database.tools.setStatus(tenantId, id, ["active"], "disabled", 1)).toMatchObject({
    revision: 2,
  });
  expect(await database.tools.delete(tenantId, id, 1)).toBeNull();
  expect(await database.tools.delete(tenantId, id, 2)).toEqual({ schedulesPaused: 0 });
});

test("a deleted tool takes its versions along and is deleted once", async () => {
  const { id } = await database.tools.create(sampleTool(tenantId));
  expect(await database.tools.delete(tenantId, id)).toEqual({ schedulesPaused: 0 });
  expect(await database.tools.delete(tenantId, id)).toBeNull();
  expect(await database.tools.find(tenantId, id, ALL_TOOLS)).toBeNull();
  expect(await database.tools.listVersions(tenantId, id, { limit: 9 })).toEqual([]);
});

test("another tenant's tool does not exist, whatever is asked", async () => {
  const { id, name } = await database.tools.create(sampleTool(tenantId));
  expect(await database.tools.find(otherId, id, ALL_TOOLS)).toBeNull();
  expect(await database.tools.find(otherId, name, ALL_TOOLS)).toBeNull();
  expect(await database.tools.update(otherId, id, 1, { description: "mine" })).toBeNull();
  expect(await database.tools.setStatus(otherId, id, ["active"], "disabled")).toBeNull();
  expect(await database.tools.delete(otherId, id)).toBeNull();
  expect(await database.tools.findVersion(otherId, id, 1)).toBeNull();
  expect(await database.tools.listVersions(otherId, id, { limit: 9 })).toEqual([]);
  expect(await database.tools.find(tenantId, id, ALL_TOOLS)).toMatchObject({ status: "active", version: 1 });
});
