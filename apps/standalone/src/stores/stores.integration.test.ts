import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isNightly, leakCheck, until } from "@bulkhead/testing";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openPostgres, type EmbeddedPostgres } from "../postgres/postgres.ts";
import { askRedis } from "../redis/redis-ready.ts";
import { readProcess } from "./process-facts.ts";
import { openRedis } from "../redis/redis.ts";

leakCheck();

// The tests make clusters, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

let dataDir: string;
beforeAll(async () => {
  // mkdtemp makes it 0700, as a home folder is.
  dataDir = await mkdtemp(join(tmpdir(), "bulkhead stores'-"));
});
afterAll(() => rm(dataDir, { recursive: true }));

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** A server that gets no processor for some seconds answers nothing, and is asked again. */
const answersOf = (port: number, commands: string[]): Promise<string> =>
  until(() => askRedis(port, commands), { what: "Redis answers" });

const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

describe("the embedded PostgreSQL", () => {
  let postgres: EmbeddedPostgres;
  beforeAll(async () => {
    postgres = await openPostgres({ dataDir, stopMsMax: 500 });
  });
  // Safe to call again.
  afterAll(async () => {
    await postgres?.close();
    await postgres?.close();
  });

  test("answers under a closed folder, in UTF-8 and durably", async () => {
    const settings = await query(
      postgres.url,
      "select current_setting('server_encoding') as encoding, current_setting('fsync') as fsync, " +
        "current_setting('listen_addresses') as host, lower('Ä') as lower",
    );
    expect(settings).toEqual([{ encoding: "UTF8", fsync: "on", host: "127.0.0.1", lower: "ä" }]);
    await query(postgres.url, "create table kept as select 42 as number");
  });

  test("lets nobody in without the password, which only this user can read", async () => {
    const wrong = new URL(postgres.url);
    wrong.password = "guess";
    await expect(query(wrong.href, "select 1")).rejects.toThrow(/password authentication failed/u);
    expect(await modeOf(join(dataDir, "postgres/password"))).toBe("600");
    expect(await modeOf(join(dataDir, "postgres"))).toBe("700");
  });

  test("refuses a second owner of the same folder while the first one lives", async () => {
    await expect(openPostgres({ dataDir, stopMsMax: 500 })).rejects.toThrow(
      `process ${postgres.pid}) for another Bulkhead`,
    );
    expect(await query(postgres.url, "select 1 as one")).toEqual([{ one: 1 }]);
  });
});

test("both keep their data over close and open, and are reached through sockets in their folders, closed to others; through their ports where no such path fits", async () => {
  const deep = join(await mkdtemp(join(tmpdir(), "bulkhead-deep-")), "d".repeat(100));
  // Each place costs a cluster of its own.
  for (const place of isNightly ? [dataDir, deep] : [dataDir]) {
    const [postgres, redis] = await Promise.all([
      openPostgres({ dataDir: place }),
      openRedis({ dataDir: place, env: process.env }),
    ]);
    const isNear = await query(postgres.socketUrl, "select inet_client_addr() is null as near");
    expect(isNear).toEqual([{ near: place === dataDir }]);
    // As the first one left it.
    if (place === dataDir) expect(await query(postgres.url, "select * from kept")).toEqual([{ number: 42 }]);
    expect(postgres.socketUrl === postgres.url).toBe(place === deep);
    expect(redis.socketUrl === redis.url).toBe(place === deep);
    if (place === dataDir) {
      expect(await modeOf(join(place, "postgres", `.s.PGSQL.${postgres.port}`))).toBe("700");
      expect(await modeOf(join(place, "redis/redis.sock"))).toBe("700");
    }
    await Promise.all([postgres.close(), redis.close()]);
  }
  await rm(dirname(deep), { recursive: true });
});

describe("the embedded Redis", () => {
  test("answers and keeps its data over close and open, as far as an append-only file does", async () => {
    const first = await openRedis({ dataDir, env: process.env });
    const login = `AUTH ${new URL(first.url).password}`;
    const commands = [login, "SET kept 42", "CONFIG GET maxmemory-policy", "CONFIG GET appendonly"];
    expect((await answersOf(first.port, commands)).split("\r\n")).toEqual(
      expect.arrayContaining(["+OK", "noeviction", "yes"]),
    );
    await first.close();

    const second = await openRedis({ dataDir, env: process.env });
    expect(await answersOf(second.port, [login, "GET kept"])).toBe("+OK\r\n$2\r\n42\r\n");
    await second.close();
  });

  test("lets nobody in without the password, which only this user can read", async () => {
    const redis = await openRedis({ dataDir, env: process.env });
    expect(await answersOf(redis.port, ["PING"])).toMatch(/^-NOAUTH/u);
    await redis.close();
    expect(await modeOf(join(dataDir, "redis/password"))).toBe("600");
    expect(await modeOf(join(dataDir, "redis/redis.conf"))).toBe("600");
    expect(await modeOf(join(dataDir, "redis"))).toBe("700");
  });

  test("says so when the port it must have is taken", async () => {
    const redis = await openRedis({ throwaway: true, env: process.env });
    const same = openRedis({ throwaway: true, env: process.env, port: redis.port });
    await expect(same).rejects.toThrow(`Redis could not bind port ${redis.port}`);
    await redis.close();
  });
});

test("a data folder that others could read is closed to them", async () => {
  const open = await mkdtemp(join(tmpdir(), "bulkhead-open-"));
  await chmod(open, 0o755);
  const redis = await openRedis({ dataDir: open, env: process.env });
  await redis.close();
  expect(await modeOf(open)).toBe("700");
  await rm(open, { recursive: true });
});

test.runIf(isNightly)("throwaway stores leave no folder behind, closed or killed", async () => {
  const postgres = await openPostgres({ throwaway: true });
  const redis = await openRedis({ throwaway: true, env: process.env });
  const commands = await Promise.all([postgres.pid, redis.pid].map((pid) => readProcess(pid)));
  const folders = commands.map(
    (facts) => /\/\S*\/bulkhead-(?:postgres|redis)-\w+/u.exec(facts?.command ?? "")?.[0] ?? "",
  );
  expect(folders.map(existsSync)).toEqual([true, true]);
  await postgres.close();
  await redis.kill();
  expect(folders.map(existsSync)).toEqual([false, false]);
});

// The last one: it breaks the cluster that the others share, since one of its own takes seconds to make.
test("what PostgreSQL said is told when it can't start", async () => {
  const postgres = await openPostgres({ dataDir });
  await postgres.close();
  await rm(join(dataDir, "postgres/cluster/global"), { recursive: true });
  await expect(openPostgres({ dataDir })).rejects.toThrow(
    /PostgreSQL did not start.*\n.*could not find the database system/su,
  );
});
