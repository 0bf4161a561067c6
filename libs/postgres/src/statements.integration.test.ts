import { leakCheck, openTestDatabase, type TestDatabase } from "@bulkhead/testing";
import type { Pool } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openPool } from "./client.ts";
import { openDatabase } from "./open-database.ts";
import { NoConnection } from "./sql-trouble.ts";
import { driverStatements } from "./statements.ts";

leakCheck();

const BOUNDS = {
  applicationName: "test",
  connectMsMax: 5_000,
  statementMsMax: 5_000,
  planning: "once",
} as const;
const raising = (state: string): string =>
  `/* raising.${state.replace(/\d/g, "x").toLowerCase()} */ DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${state}'; END $$`;

let anchor: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  anchor = await openTestDatabase();
  await anchor.execute("create table written (n int primary key)");
});
afterAll(async () => {
  await anchor.close();
});
beforeEach(() => {
  pool = openPool({ url: anchor.url, poolMax: 1, ...BOUNDS });
});
afterEach(async () => {
  await pool.end();
});

const numbers = async (): Promise<unknown> => {
  const other = openPool({ url: anchor.url, poolMax: 1, ...BOUNDS });
  try {
    return (await other.query("select n from written order by n")).rows.map(({ n }) => n as unknown);
  } finally {
    await other.end();
  }
};

describe("a statement by the driver", () => {
  test("answers its rows, or how many there were", async () => {
    const statements = driverStatements(pool);
    expect(await statements.$queryRawUnsafe("/* test.add */ SELECT $1::int + 1 AS n", 1)).toEqual([{ n: 2 }]);
    expect(await statements.$queryRawUnsafe("/* test.add */ SELECT $1::int + 1 AS n", 2)).toEqual([{ n: 3 }]);
    expect(await statements.$executeRawUnsafe("INSERT INTO written VALUES (1), (2)")).toBe(2);
  });

  test.each(["22023", "23505", "40001", "53100", "55P03"])(
    "keeps its connection where %s is said, which is not its fault",
    async (state) => {
      await expect(driverStatements(pool).$executeRawUnsafe(raising(state))).rejects.toMatchObject({
        code: state,
      });
      expect(pool.totalCount).toBe(1);
    },
  );

  test.each(["25006", "0A000", "57P01", "26000"])(
    "leaves it where %s is said, which may be its fault",
    async (state) => {
      await expect(driverStatements(pool).$executeRawUnsafe(raising(state))).rejects.toMatchObject({
        code: state,
      });
      expect(pool.totalCount).toBe(0);
    },
  );

  test("is never sent within a transaction that somebody left open", async () => {
    const left = await pool.connect();
    await left.query("BEGIN");
    left.release();
    await driverStatements(pool).$executeRawUnsafe("INSERT INTO written VALUES (7)");
    expect(await numbers()).toContain(7);
  });

  test("without a connection says so, and why", async () => {
    const nowhere = openPool({ url: "postgres://me:secret@127.0.0.1:1/mine", poolMax: 1, ...BOUNDS });
    const asked = driverStatements(nowhere).$queryRawUnsafe("SELECT 1");
    await expect(asked).rejects.toThrow(NoConnection);
    await expect(asked).rejects.toThrow(/ECONNREFUSED/);
    await nowhere.end();
  });
});

test("a connection that breaks while it is being handed over ends nobody", async () => {
  const connection = await pool.connect();
  expect(() => connection.emit("error", new Error("terminating connection"))).not.toThrow();
  connection.release(true);
});

test("what the URL sets for its sessions stays, and ours stands behind it", async () => {
  const url = new URL(anchor.url);
  url.searchParams.set("options", "-c TimeZone=Asia/Kolkata -c work_mem=5MB");
  const own = openPool({ url: url.href, poolMax: 1, ...BOUNDS });
  const ask =
    "SELECT current_setting('TimeZone') AS zone, current_setting('work_mem') AS memory, current_setting('plan_cache_mode') AS plans";
  expect((await own.query(ask)).rows).toEqual([{ zone: "UTC", memory: "5MB", plans: "force_generic_plan" }]);
  await own.end();
  // The name by which a hosted database is found is for it alone.
  url.searchParams.set("options", "reference=abc");
  const hosted = openPool({ url: url.href, poolMax: 1, ...BOUNDS });
  expect(hosted.options).toMatchObject({ connectionString: url.href });
  await hosted.end();
  url.searchParams.set("options", "-c TimeZone=Asia/Kolkata");
  await (await openDatabase({ url: url.href, poolMax: 1 })).close();
});
