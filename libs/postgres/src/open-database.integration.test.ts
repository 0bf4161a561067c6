import { setImmediate, setTimeout as delay } from "node:timers/promises";
import { isNightly, leakCheck, openTestDatabase, type TestDatabase, until } from "@bulkhead/testing";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openBreakableProxy, type BreakableProxy } from "./fixtures/breakable-proxy.ts";
import { openSocketProxy } from "./fixtures/socket-proxy.ts";
import { ALL_TOOLS, attemptOf, LEASE_MS, sampleExecution, started, SUCCESS } from "./fixtures/samples.ts";
import { openDatabase, type Database } from "./open-database.ts";

leakCheck();

/** Short, so that "in bounded time" is a matter of a second here. */
const BOUNDS = { connectMsMax: 300, statementMsMax: 300, groupCommit: { waitMsMax: 300 } };
const UNAVAILABLE = { status: "rejected", reason: { code: "service.unavailable" } };

let anchor: TestDatabase;
let proxy: BreakableProxy;
let database: Database;

beforeAll(async () => {
  anchor = await openTestDatabase();
});
afterAll(async () => {
  await anchor.close();
});
beforeEach(async () => {
  proxy = await openBreakableProxy(anchor.url);
  database = await openDatabase({ url: proxy.url, poolMax: 2 });
});
afterEach(async () => {
  await database.close();
  await proxy.close();
});

/** One call of each kind, several of those that share commits. */
function callEverything(of = database): Promise<PromiseSettledResult<unknown>[]> {
  const { executions, tools, tenants, apiKeys } = of;
  const key = attemptOf(sampleExecution("ten_a"));
  return Promise.allSettled([
    ...Array.from({ length: 20 }, () => executions.insert(sampleExecution("ten_a"))),
    ...Array.from({ length: 20 }, () => executions.claim(key, "w", LEASE_MS)),
    executions.markEffect(key, LEASE_MS),
    executions.finish(key, SUCCESS, "1-2"),
    executions.handBack(key),
    executions.renewLeases([key], LEASE_MS),
    executions.endFromOutside(key, { status: "cancelled", error: null }),
    executions.find(key),
    executions.list("ten_a", { limit: 1 }),
    executions.expireOverdue(1),
    executions.listQueued(0, null, 1),
    executions.recoverExpiredLeases(1),
    executions.recoverAttemptsOf(["w"], 1),
    executions.ensurePartitions(),
    tools.find("ten_a", "x", ALL_TOOLS),
    tools.delete("ten_a", "x"),
    tenants.findBySlug("x"),
    apiKeys.findByHash("x"),
    apiKeys.list("ten_a"),
    of.ping(),
    of.serverVersion(),
    of.pendingMigrations(),
  ]);
}

describe("a database that is gone", () => {
  test("answers every call with service.unavailable, and works again once it is back", async () => {
    proxy.kill();
    for (const settled of await callEverything()) expect(settled).toMatchObject(UNAVAILABLE);
    proxy.restore();
    await until(async () => database.ping().then(() => true), { what: "the database answers again" });
    const key = await started(database, sampleExecution("ten_a"));
    expect(await database.executions.finish(key, SUCCESS, "1-2")).toMatchObject({ status: "succeeded" });
  });

  test("fails the calls that were under way when it was killed, and leaves none unanswered", async () => {
    const calls = callEverything();
    proxy.kill();
    for (const settled of await calls) {
      if (settled.status === "rejected") expect(settled).toMatchObject(UNAVAILABLE);
    }
  });

  test("that hangs without a word fails every call in bounded time", async () => {
    // So short are its bounds that a slow machine may pass them at the opening.
    const hasty = await until(() => openDatabase({ url: proxy.url, poolMax: 2, ...BOUNDS }), {
      what: "the database is open",
    });
    try {
      proxy.freeze();
      for (const settled of await callEverything(hasty)) expect(settled).toMatchObject(UNAVAILABLE);
    } finally {
      await hasty.close();
    }
  });
});

test.runIf(isNightly)(
  "a database behind a socket is used through it, is gone with it, and works again once it is back",
  async () => {
    const socket = await openSocketProxy(anchor.url);
    const near = await openDatabase({ url: socket.url, poolMax: 2 });
    try {
      const key = await started(near, sampleExecution("ten_a"));
      await socket.remove();
      for (const settled of await callEverything(near)) expect(settled).toMatchObject(UNAVAILABLE);
      await socket.restore();
      await until(async () => near.ping().then(() => true), { what: "the database answers again" });
      expect(await near.executions.finish(key, SUCCESS, "1-2")).toMatchObject({ status: "succeeded" });
    } finally {
      await near.close();
      await socket.close();
    }
  },
);

test("a database that can't be reached is not opened, and is named without its password", async () => {
  const failure = openDatabase({ url: "postgres://nobody:hunter2@127.0.0.1:1/nothing", poolMax: 1 });
  await expect(failure).rejects.toMatchObject({
    code: "service.unavailable",
    message: "The database at 127.0.0.1:1/nothing can't be reached: connect ECONNREFUSED 127.0.0.1:1",
  });
});

test("its connections are told, those of both pools together, and none is left after the close", async () => {
  const second = await openDatabase({ url: anchor.url, poolMax: 2 });
  const told = () => second.connections();
  expect(told()).toEqual({ used: 0, idle: 1, waiting: 0 });
  // Looked at in every turn of the event loop: an answer takes one at least.
  const inserting = { used: 0, done: false };
  const inserted = second.executions
    .insert(sampleExecution("ten_told"))
    .finally(() => (inserting.done = true));
  while (!inserting.done) {
    inserting.used = Math.max(inserting.used, told().used);
    await setImmediate();
  }
  await inserted;
  expect(inserting.used).toBe(1);
  await second.close();
  expect(told()).toEqual({ used: 0, idle: 0, waiting: 0 });
});

test("close answers what was called before it", async () => {
  const second = await openDatabase({ url: anchor.url, poolMax: 2 });
  const executions = Array.from({ length: 50 }, () => sampleExecution("ten_close"));
  const inserted = Promise.all(executions.map((execution) => second.executions.insert(execution)));
  await second.close();
  await inserted;
  const { executions: kept } = await database.executions.list("ten_close", { limit: 100 });
  expect(kept).toHaveLength(50);
});

test.runIf(isNightly)("a transaction waits for its connection as long as any other call", async () => {
  const patient = { connectMsMax: 60_000, statementMsMax: 60_000 };
  const alone = await openDatabase({ url: anchor.url, poolMax: 1, ...patient });
  const session = new Client({ connectionString: anchor.url });
  await session.connect();
  try {
    await session.query("BEGIN; LOCK TABLE idempotency_keys");
    const insertOnce = (key: string) =>
      alone.executions.insertOnce([
        { execution: sampleExecution("ten_once"), once: { key, bodyHash: "same" } },
      ]);
    const both = Promise.allSettled(["a", "b"].map(insertOnce));
    // Longer than Prisma's own bound.
    await delay(2_500);
    await session.query("ROLLBACK");
    const inserted = { status: "fulfilled", value: [{ outcome: "inserted" }] };
    expect(await both).toEqual([inserted, inserted]);
  } finally {
    await session.end();
    await alone.close();
  }
});

test("a call is answered only after its commit: whoever asks elsewhere then sees it", async () => {
  const elsewhere = await openDatabase({ url: anchor.url, poolMax: 2 });
  try {
    const batch = Array.from({ length: 64 }, () => sampleExecution("ten_commit"));
    const seen = await Promise.all(
      batch.map(async (execution) => {
        await database.executions.insert(execution);
        return elsewhere.executions.claim(attemptOf(execution), "w", LEASE_MS);
      }),
    );
    expect(seen.every((claimed) => claimed !== null)).toBe(true);
  } finally {
    await elsewhere.close();
  }
});
