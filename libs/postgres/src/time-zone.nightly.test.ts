import { newApiKeyId } from "@bulkhead/core";
import { leakCheck, openTestDatabase, type TestDatabase } from "@bulkhead/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  ALL_TOOLS,
  attemptOf,
  LEASE_MS,
  sampleExecution,
  sampleTenant,
  sampleTool,
} from "./fixtures/samples.ts";
import { openDatabase, type Database } from "./open-database.ts";

leakCheck();

// As a package of PostgreSQL sets it up on a machine that isn't in UTC.
describe.each(["America/New_York", "Asia/Kolkata"])("a database whose sessions are in %s", (zone) => {
  let anchor: TestDatabase;
  let database: Database;

  beforeEach(async () => {
    anchor = await openTestDatabase();
    const name = new URL(anchor.url).pathname.slice(1);
    await anchor.execute(`alter database ${name} set timezone to '${zone}'`);
    database = await openDatabase({ url: anchor.url, poolMax: 2 });
  });
  afterEach(async () => {
    await database.close();
    await anchor.close();
  });

  test("gives back the times of an execution as they were, whichever way they are read", async () => {
    const execution = sampleExecution("ten_a");
    const { createdAt, deadlineAt } = execution;
    await database.executions.insert(execution);
    const claimed = await database.executions.claim(attemptOf(execution), "w", LEASE_MS);
    expect(claimed).toMatchObject({ createdAt, deadlineAt });
    const found = await database.executions.find(execution);
    expect(found).toMatchObject({ createdAt, deadlineAt });
    // The database's own clock, on the same machine.
    expect(Math.abs(Date.now() - (found?.startedAt?.getTime() ?? 0))).toBeLessThan(60_000);
    const [listed] = (await database.executions.list("ten_a", { limit: 1 })).executions;
    expect(listed).toMatchObject({ createdAt, startedAt: found?.startedAt });
  });

  test("is refused, with what to do, where what a session is started with is dropped", async () => {
    const url = new URL(anchor.url);
    // What is no list of settings stands instead of ours, which are lost as behind a pooler that ignores them.
    url.searchParams.set("options", " ");
    const opened = openDatabase({ url: url.href, poolMax: 1 });
    await expect(opened).rejects.toMatchObject({ code: "service.unavailable" });
    await expect(opened).rejects.toThrow(`${zone}, though they asked for UTC`);
  });

  test("and those of a tenant, its keys and its tools", async () => {
    const tenant = sampleTenant();
    const made = await database.tenants.create(tenant);
    const found = await database.tenants.find(tenant.id);
    expect(found).toEqual(made);
    expect(found?.createdAt).toEqual(tenant.createdAt);
    const at = new Date();
    const key = { id: newApiKeyId(), tenantId: tenant.id, name: "k", role: "owner", agentId: null } as const;
    const ends = { expiresAt: new Date(at.getTime() + 60_000), lastUsedAt: null, formerUntil: null };
    await database.apiKeys.create({ ...key, createdAt: at, ...ends }, "0".repeat(64));
    expect(await database.apiKeys.list(tenant.id)).toMatchObject([{ createdAt: at, ...ends }]);
    await database.apiKeys.rotate(tenant.id, key.id, { sha256: "1".repeat(64), formerUntil: at });
    expect(await database.apiKeys.findByHash("0".repeat(64))).toMatchObject({ goodUntil: at });
    await database.apiKeys.used(new Map([[key.id, at]]));
    expect(await database.apiKeys.list(tenant.id)).toMatchObject([{ lastUsedAt: at }]);
    const tool = await database.tools.create(sampleTool(tenant.id));
    expect((await database.tools.find(tenant.id, tool.id, ALL_TOOLS))?.createdAt).toEqual(tool.createdAt);
    expect(Math.abs(Date.now() - (found?.updatedAt.getTime() ?? 0))).toBeLessThan(60_000);
  });
});
