import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isNightly, leakCheck, openTestDatabase, type TestDatabase } from "@bulkhead/testing";
import { newExecutionId } from "@bulkhead/core";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from "vitest";
import { openClient } from "./client.ts";
import { migrationNames } from "./migration-files.ts";
import { migrate, PARTITION_WEEKS_AHEAD } from "./migrate.ts";
import { openDatabase } from "./open-database.ts";

const WEEK_MS = 7 * 24 * 3_600_000;
const MIGRATE_MAIN = fileURLToPath(new URL("migrate-main.ts", import.meta.url));

leakCheck();

let anchor: TestDatabase;
let admin: Client;
let database: { name: string; url: string };

beforeAll(async () => {
  anchor = await openTestDatabase();
  admin = new Client({ connectionString: anchor.url });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await anchor.close();
});
afterEach(async () => {
  await admin.query(`drop database ${database.name} with (force)`);
});

async function create(template: string): Promise<void> {
  const name = `own_${randomBytes(6).toString("hex")}`;
  await admin.query(`create database ${name} template ${template} strategy file_copy`);
  const url = new URL(anchor.url);
  url.pathname = `/${name}`;
  database = { name, url: url.href };
}
const createEmpty = (): Promise<void> => create("template0");
/** All migrations were applied to it once for all tests: in a test of what comes later they need not be applied anew. */
const createMigrated = (): Promise<void> => create(inject("testPostgres").template);

async function rows<T extends object>(sql: string, values: unknown[] = []): Promise<T[]> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query<T>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

async function pending(): Promise<string[]> {
  const opened = await openDatabase({ url: database.url, poolMax: 1 });
  try {
    return await opened.pendingMigrations();
  } finally {
    await opened.close();
  }
}

describe("migrate", () => {
  beforeEach(createEmpty);

  test("[S4] several processes at once apply every migration exactly once, and what is pending is known", async () => {
    expect(await pending()).toEqual(await migrationNames());
    const run = () =>
      promisify(execFile)(process.execPath, [MIGRATE_MAIN], { env: { DATABASE_URL: database.url } });
    const outputs = await Promise.all([run(), run(), run()]);
    const names = await migrationNames();
    const applied = outputs.flatMap(({ stdout }) =>
      stdout.split("\n").filter((line) => line.startsWith("applied ")),
    );
    expect(applied).toEqual(names.map((name) => `applied ${name}`));
    const recorded = await rows(
      "select migration_name, applied_steps_count from _prisma_migrations order by migration_name",
    );
    expect(recorded).toEqual(names.map((name) => ({ migration_name: name, applied_steps_count: 1 })));
    expect(outputs.map(({ stderr }) => stderr)).toEqual(["", "", ""]);
    expect(await pending()).toEqual([]);
  });

  test("a script that fails leaves nothing of itself and is told by name", async () => {
    // What the script makes only after its first tables.
    await rows("create function refuse_change() returns trigger language plpgsql as 'begin return new; end'");
    const [name] = await migrationNames();
    await expect(migrate(database.url)).rejects.toThrow(`migration_name="${name}"`);
    expect(await rows("select to_regclass('tenants') as tenants")).toEqual([{ tenants: null }]);
  });

  test.runIf(isNightly)("what a script that fails recorded does not stop the next try", async () => {
    await rows("create function refuse_change() returns trigger language plpgsql as 'begin return new; end'");
    await expect(migrate(database.url)).rejects.toThrow("migration_name");
    await rows("drop function refuse_change()");
    expect(await migrate(database.url)).toEqual(await migrationNames());
  });

  test("a database that can't be reached is service.unavailable, and the text holds no password", async () => {
    const failure = migrate("postgres://user:hunter2@127.0.0.1:1/bulkhead");
    await expect(failure).rejects.toMatchObject({ code: "service.unavailable" });
    await expect(failure).rejects.toThrow("127.0.0.1:1/bulkhead");
    await expect(failure).rejects.not.toThrow("hunter2");
  });
});

describe("a migrated database", () => {
  beforeEach(createMigrated);

  test("has nothing to apply", async () => {
    expect(await migrate(database.url)).toEqual([]);
  });

  test("is as the client pictures every table", async () => {
    const bounds = {
      applicationName: "test",
      connectMsMax: 5_000,
      statementMsMax: 5_000,
      planning: "anew",
    } as const;
    const client = openClient({ url: database.url, poolMax: 1, ...bounds });
    try {
      expect(await client.tenant.findMany()).toEqual([]);
      expect(await client.apiKey.findMany()).toEqual([]);
      expect(await client.tool.findMany()).toEqual([]);
      expect(await client.toolVersion.findMany()).toEqual([]);
      expect(await client.execution.findMany()).toEqual([]);
    } finally {
      await client.$disconnect();
    }
  });
});

/** One that takes no time, in a database where all others were applied. */
const ALTERS = "20261122001470_execution_traceparents";
async function takeBack(): Promise<void> {
  await rows("alter table executions drop column traceparent");
  await rows("delete from _prisma_migrations where migration_name = $1", [ALTERS]);
}

test("who waits for another that migrates says so, and goes on when that is done", async () => {
  await createMigrated();
  await takeBack();
  const other = new Client({ connectionString: database.url });
  await other.connect();
  try {
    await other.query("select pg_advisory_lock(hashtextextended('bulkhead.migrate', 0))");
    const said = Promise.withResolvers<string>();
    const lines: string[] = [];
    const migrated = migrate(database.url, { log: (line) => lines.push(line), waiting: said.resolve });
    expect(await said.promise).toContain("waiting for another process that migrates this database");
    expect(lines).toEqual([]);
    await other.query("select pg_advisory_unlock_all()");
    expect(await migrated).toEqual([ALTERS]);
  } finally {
    await other.end();
  }
});

/** By day others wait for nobody: each of these applies a migration beside who holds its table. */
describe.runIf(isNightly)("a table in use", () => {
  let reader: Client;
  /** Gives way soon, and tries for as long as it takes. */
  const SOON = { lockMsMax: 500, pauseMs: 20, totalMsMax: 120_000 };
  /** On a slow machine a migration says before that it waits for its turn. */
  const onceGivenWay = (tell: (line: string) => void) => (line: string) => {
    if (line.includes("gave way")) tell(line);
  };

  beforeEach(async () => {
    await createMigrated();
    await takeBack();
    reader = new Client({ connectionString: database.url });
    await reader.connect();
    // As a dump holds it, for as long as it takes.
    await reader.query("begin; lock table executions in access share mode");
  });
  afterEach(async () => {
    await reader.end();
  });

  test("holds up nobody else: the migration gives way, and succeeds once the reader has gone", async () => {
    const gaveWay = Promise.withResolvers<string>();
    const migrated = migrate(database.url, { log: onceGivenWay(gaveWay.resolve), patience: SOON });
    await vi.waitFor(
      async () => {
        const waits = await rows(
          "select 1 from pg_locks where not granted and relation = 'executions'::regclass",
        );
        expect(waits).toHaveLength(1);
      },
      { timeout: 20_000, interval: 20 },
    );
    // Behind the migration; the reader is there until the end of the test, so only its giving way lets this through.
    expect(await rows("select id from executions")).toEqual([]);
    expect(await gaveWay.promise).toContain("trying again");
    await reader.query("commit");
    expect(await migrated).toEqual([ALTERS]);
  });

  test("is waited for by new partitions too", async () => {
    await reader.query("rollback");
    await migrate(database.url);
    const [newest] = await rows<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits
       where inhparent = 'executions'::regclass and inhrelid <> 'executions_default'::regclass order by 1 desc limit 1`,
    );
    await rows(`drop table ${newest?.name}`);
    await reader.query("begin; lock table executions_default in access share mode");
    const gaveWay = Promise.withResolvers<string>();
    const migrated = migrate(database.url, { log: onceGivenWay(gaveWay.resolve), patience: SOON });
    expect(await gaveWay.promise).toContain("trying again");
    await reader.query("commit");
    expect(await migrated).toEqual([]);
    expect(await rows("select to_regclass($1) is not null as made", [newest?.name])).toEqual([
      { made: true },
    ]);
  });

  test("for longer than the patience is told, and what to do; the next call goes on", async () => {
    const patience = { lockMsMax: 50, pauseMs: 10, totalMsMax: 200 };
    const failure = migrate(database.url, { patience });
    await expect(failure).rejects.toMatchObject({ code: "service.unavailable" });
    await expect(failure).rejects.toThrow(/pg_stat_activity.*migrate again/);
    await reader.query("commit");
    expect(await migrate(database.url)).toEqual([ALTERS]);
  });
});

describe("partitions", () => {
  const insert = `insert into executions (id, tenant_id, tool_id, tool_name, tool_version, idempotent, arguments,
    context, requested_by, trace_id, created_at, deadline_at)
    values ($1, 'ten_1', 'tool_1', 't', 1, false, '{}', '{}', 'k', 't', now(), now())`;
  const partitionOf = (id: string) =>
    rows<{ part: string }>("select tableoid::regclass::text as part from executions where id = $1", [id]);

  beforeEach(createMigrated);

  test("last week, this week and the weeks ahead have theirs; an execution lands in the one of its week", async () => {
    for (const week of [-1, 0, 1, PARTITION_WEEKS_AHEAD]) {
      const at = new Date(Date.now() + week * WEEK_MS);
      const id = newExecutionId(at);
      await rows(insert, [id]);
      const monday = new Date(at.getTime() - ((at.getUTCDay() + 6) % 7) * (WEEK_MS / 7));
      const name = `executions_${monday.toISOString().slice(0, 10).replaceAll("-", "")}`;
      expect(await partitionOf(id)).toEqual([{ part: name }]);
    }
  });

  test("what found no partition is moved once its partition is made, even by several at once", async () => {
    const ahead = PARTITION_WEEKS_AHEAD + 2;
    const ids = Array.from({ length: 20 }, () => newExecutionId(new Date(Date.now() + ahead * WEEK_MS)));
    for (const id of ids) await rows(insert, [id]);
    expect(await partitionOf(ids[0] ?? "")).toEqual([{ part: "executions_default" }]);

    const calls = [1, 2, 3].map(() =>
      rows<{ made: number }>("select ensure_execution_partitions($1) as made", [ahead]),
    );
    const made = (await Promise.all(calls)).flat().map((row) => row.made);
    expect(made.toSorted((a, b) => a - b)).toEqual([0, 0, 2]);
    expect(await rows("select * from only executions_default")).toEqual([]);
    const kept = await rows<{ id: string }>("select id from executions order by id");
    expect(kept.map(({ id }) => id)).toEqual(ids.toSorted());
  });
});
