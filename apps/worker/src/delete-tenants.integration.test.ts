import { continueDeletions, deleteTenant } from "@bulkhead/tenants";
import { openDatabase, type Database } from "@bulkhead/postgres";
import {
  newExecutionId,
  newTenantId,
  TENANT_LIMITS_DEFAULT,
  type AttemptKey,
  type ExecutionKey,
  type McpServerKey,
  type NewExecution,
} from "@bulkhead/core";
import { withdrawExecution } from "@bulkhead/executions";
import {
  openExecutionQueue,
  openRateLimiter,
  openScheduleTriggers,
  openEventStream,
  openSignalBus,
  openStreamRedis,
  openTenantEvents,
  openTenantRemnants,
} from "@bulkhead/redis";
import {
  insertWholeTenant,
  isNightly,
  leakCheck,
  openTestDatabase,
  openTestRedis,
  redisKeysWith,
  rowsWith,
  until,
  type TestDatabase,
  type TestRedis,
  type WholeTenant,
} from "@bulkhead/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { deleteTenantsOften } from "./delete-tenants.ts";

leakCheck();

let anchor: TestDatabase;
let server: TestRedis;
let database: Database;
let parts: Awaited<ReturnType<typeof openParts>>;
let whole: WholeTenant;
let other: WholeTenant;
const reports: unknown[] = [];
/** Servers whose connections were closed. */
const dropped = new Set<string>();

beforeAll(async () => {
  anchor = await openTestDatabase();
  server = await openTestRedis();
  database = await openDatabase({ url: anchor.url, poolMax: 4 });
  parts = await openParts();
});
afterAll(async () => {
  await parts?.close();
  await database?.close();
  await server?.close();
  await anchor?.close();
});
beforeEach(async () => {
  reports.length = 0;
  whole = await insertWholeTenant(anchor.url);
  other = await insertWholeTenant(anchor.url);
  for (const tenant of [whole, other]) await setToWork(tenant);
});

/** All that a worker deletes a tenant with. */
async function openParts() {
  const redisUrl = server.url;
  const report = (_what: string, error: unknown): void => void reports.push(error);
  const onError = (error: unknown): void => void reports.push(error);
  const redis = await openStreamRedis({ redisUrl, onError });
  const queue = await openExecutionQueue({ redisUrl, onError });
  const rateLimiter = await openRateLimiter({ redisUrl, onError });
  const triggers = await openScheduleTriggers({
    redisUrl,
    nextRun: () => new Date(Date.now() + 60_000),
    onError,
  });
  const bus = await openSignalBus({ redis, changes: rateLimiter });
  const { executions, logs } = database;
  const stream = openEventStream({ redis, findExecution: executions.find.bind(executions), logs, report });
  const tenantEvents = openTenantEvents({ redis, report, onDropped: () => undefined });
  return {
    redis,
    queue,
    rateLimiter,
    bus,
    stream,
    tenantEvents,
    executions,
    report,
    setTrigger: triggers.set.bind(triggers),
    triggers: { removeTrigger: (scheduleId: string) => triggers.remove(scheduleId) },
    deletions: database.tenantDeletions,
    remnants: openTenantRemnants(redis),
    mcpServers: database.mcpServers,
    mcp: { drop: async ({ tenantId, name }: McpServerKey) => void dropped.add(`${tenantId}/${name}`) },
    async close() {
      await stream.close();
      tenantEvents.close();
      bus.close();
      await triggers.close();
      await rateLimiter.close();
      await queue.close();
      await redis.close();
    },
  };
}

const executionOf = ({ tenantId, mark }: WholeTenant): NewExecution => {
  const createdAt = new Date();
  return {
    tenantId,
    executionId: `${newExecutionId(createdAt).slice(0, 20)}${mark}`,
    toolId: `tool_${mark}`,
    toolName: "a",
    toolVersion: 2,
    inlineTool: null,
    arguments: {},
    context: {},
    source: "rest",
    client: null,
    requestedBy: `key_${mark}`,
    byAgent: false,
    createdAt,
    deadlineAt: new Date(createdAt.getTime() + 600_000),
    idempotent: false,
    retention: null,
    traceId: "",
    traceparent: null,
    priority: 4,
    delayMs: 0,
    retry: null,
    dispatch: null,
    callback: { url: "https://hooks.example/a", sealedSecret: "v1.sealed" },
    replayOf: null,
    scheduleId: null,
    approval: null,
  };
};

/** The tenant has something running, waiting and delayed, and something of every kind in Redis. */
async function setToWork(tenant: WholeTenant): Promise<AttemptKey> {
  const { tenantId, mark } = tenant;
  const current = { limits: { ...TENANT_LIMITS_DEFAULT, maxConcurrentExecutions: 1 }, asOf: new Date(1) };
  const admissions = [];
  for (const delayMs of [0, 0, 60_000]) {
    const execution = { ...executionOf(tenant), delayMs };
    await parts.executions.insert(execution);
    // So slow that nothing becomes due before it was looked at.
    const tool = { id: `tool_${mark}`, maxConcurrent: 1, perSecond: 0.001 };
    const { executionId } = execution;
    admissions.push({ tenantId, executionId, attempt: 1, current, priority: 4, delayMs, tool });
    const at = new Date().toISOString();
    await parts.stream.append(tenantId, [
      { type: "execution.queued", id: "1-1", executionId, attempt: 1, at },
    ]);
  }
  await parts.queue.admit(admissions);
  const [first] = admissions;
  if (first === undefined) throw new Error("nothing was admitted");
  await parts.executions.claim(first, "worker-1", 60_000);
  const tool = {
    toolId: `tool_${mark}`,
    toolName: "a",
    toolVersion: 1,
    status: "active",
    by: "key_1",
  } as const;
  await parts.tenantEvents.publish(tenantId, { type: "tool.created", data: tool, agentId: null });
  await parts.rateLimiter.take({ tenantId, name: "requests" }, { count: 1, perMs: 60_000, burst: 2 }, 1);
  const plan = { type: "every", everyMs: 60_000, anchorAt: new Date() } as const;
  await parts.setTrigger({ scheduleId: `sch_${mark}`, tenantId, plan });
  return first;
}

/** BullMQ's last hundred events name jobs, and with them schedules; nobody reads them. */
const EVENTS = "{bh:schedules}:schedules:events";
const keysWith = async (text: string): Promise<string[]> =>
  (await redisKeysWith((command, ...args) => parts.redis.commands.call(command, ...args), text)).filter(
    (key) => key !== EVENTS,
  );
const begin = (tenant: WholeTenant) =>
  deleteTenant(
    { ...parts, tenants: database.tenants, tenantDeletions: database.tenantDeletions },
    { role: "admin", keyId: "admin", requestId: "req_1" },
    tenant.tenantId,
    tenant.slug,
  );
const isGone = async ({ tenantId }: WholeTenant) => (await database.tenants.find(tenantId)) === null;

/** The data with another tenant's marks in both stores, except counters of time. */
const allOf = async ({ mark }: WholeTenant) => ({
  rows: await rowsWith(anchor.url, mark),
  keys: (await keysWith(mark)).filter((key) => !key.startsWith("bh:rate:")),
});

test("nothing is left of a deleted tenant in any table or key but the entry that says who did it", async () => {
  const theirs = await allOf(other);
  expect((await allOf(whole)).rows).toEqual(theirs.rows);
  await begin(whole);
  // As its worker does, once the guest is dead.
  const stopped = parts.bus.subscribe((signal) => {
    if (signal.type === "stop") void releaseAll(whole);
  });
  const deleting = deleteTenantsOften(parts, 0);
  await until(() => isGone(whole), { what: "the tenant to be gone", timeoutMs: 20_000 });
  await deleting.close();
  stopped();
  expect([...dropped]).toEqual([`${whole.tenantId}/files`]);
  expect(await rowsWith(anchor.url, whole.mark)).toEqual({ audit_entries: 1 });
  expect(await keysWith(whole.mark)).toEqual([]);
  expect(
    await redisKeysWith((command, ...args) => parts.redis.commands.call(command, ...args), whole.tenantId),
  ).toEqual([]);
  expect(await allOf(other)).toEqual(theirs);
  expect(reports).toEqual([]);
});

/** Frees what the tenant's executions hold in the queue, whether they ran or not. */
async function releaseAll({ tenantId }: WholeTenant): Promise<void> {
  const key = `{bh:0}:inflight:${tenantId}`;
  const attempts = await parts.redis.commands.zrange(key, "0", "-1");
  for (const name of attempts) {
    const [executionId = "", attempt] = name.split("-");
    await parts.queue.release({ tenantId, executionId, attempt: Number(attempt) }, 1);
  }
}

test.runIf(isNightly)(
  "workers that are killed after any step leave it to the next, and nothing is left then either",
  async () => {
    await begin(whole);
    const drop: typeof database.tenantDeletions.drop = (...of) => database.tenantDeletions.drop(...of);
    let lives = 0;
    while (!(await isGone(whole))) {
      lives += 1;
      const killed = new AbortController();
      const deletions = {
        ...database.tenantDeletions,
        drop: async (...of: Parameters<typeof drop>) => {
          const count = await drop(...of);
          if (count > 0) killed.abort();
          return count;
        },
        // A killed worker releases nothing: the deletion is due when its lease has run out.
        release: async () => undefined,
      };
      const stopRun = (key: ExecutionKey) => withdrawExecution(parts, key, "deleted");
      await releaseAll(whole);
      await continueDeletions(
        {
          ...parts,
          ...parts.triggers,
          deletions,
          stopRun,
          dropServers: async () => undefined,
          forgetQueue: (id) => parts.queue.forget(id),
          graceMs: 0,
        },
        killed.signal,
      );
      await anchor.execute("UPDATE tenants SET deletion_due_at = now() WHERE deleting_at IS NOT NULL");
    }
    expect(lives).toBeGreaterThan(10);
    expect(await rowsWith(anchor.url, whole.mark)).toEqual({ audit_entries: 1 });
    expect(await keysWith(whole.mark)).toEqual([]);
    expect(reports).toEqual([]);
  },
);

test("the tenant of an id that is not there is nobody's", async () => {
  await expect(begin({ ...whole, tenantId: newTenantId() })).rejects.toMatchObject({
    code: "tenant.not_found",
  });
});
