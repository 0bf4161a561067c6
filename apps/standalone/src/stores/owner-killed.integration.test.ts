import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { isNightly, leakCheck, until } from "@bulkhead/testing";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { openPostgres } from "../postgres/postgres.ts";
import { readProcess } from "./process-facts.ts";
import { openRedis } from "../redis/redis.ts";

leakCheck();

/** It takes three seconds; a machine that does much else at a time gets the rest. */
const OPEN_MS_MAX = 60_000;
vi.setConfig({ testTimeout: 2 * OPEN_MS_MAX });

let dataDir: string;
const started: number[] = [];
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "bulkhead-owner-"));
});
afterAll(() => rm(dataDir, { recursive: true }));
afterEach(async () => {
  for (const pid of started.splice(0)) if ((await readProcess(pid)) !== null) process.kill(pid, "SIGKILL");
});

interface Owner {
  process: ChildProcess;
  postgres: { pid: number; guard: number };
  redis: { pid: number; guard: number };
}

/** A process of its own that opens both stores, then does nothing. */
async function startOwner(location: object): Promise<Owner> {
  const stores = new URL("../stores.ts", import.meta.url).href;
  const script = `
    import { openPostgres, openRedis } from ${JSON.stringify(stores)};
    const location = ${JSON.stringify(location)};
    const postgres = await openPostgres(location);
    const redis = await openRedis({ ...location, env: process.env });
    console.log(JSON.stringify([postgres.pid, redis.pid]));`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.on("data", (chunk) => (printed += String(chunk)));
  const line = await until(() => printed.trim(), {
    timeoutMs: OPEN_MS_MAX,
    what: "the owner has opened both stores",
  });
  const pids = JSON.parse(line) as [number, number];
  const guards = await Promise.all(pids.map(async (pid) => (await readProcess(pid))?.parentPid ?? 0));
  started.push(...pids, ...guards, child.pid ?? 0);
  return {
    process: child,
    postgres: { pid: pids[0], guard: guards[0] ?? 0 },
    redis: { pid: pids[1], guard: guards[1] ?? 0 },
  };
}

async function killOwner(owner: Owner): Promise<void> {
  owner.process.kill("SIGKILL");
  await once(owner.process, "close");
}

/** Kills the guard's shell and its watcher, another child of it, which would end the store when the owner has gone. */
async function killGuard({ pid, guard }: { pid: number; guard: number }): Promise<void> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid="]);
  const processes = stdout.split("\n").map((line) => line.trim().split(/\s+/u).map(Number));
  const watchers = processes.filter(([own, parent]) => parent === guard && own !== pid);
  expect(watchers).toHaveLength(1);
  for (const [watcher = 0] of watchers) process.kill(watcher, "SIGKILL");
  process.kill(guard, "SIGKILL");
}

/** A signal is sent before it has come. */
const isHalted = async (pid: number): Promise<boolean> =>
  (await promisify(execFile)("ps", ["-o", "state=", "-p", String(pid)])).stdout.startsWith("T");

const gone = (pid: number): Promise<boolean> =>
  until(async () => (await readProcess(pid)) === null, { what: `process ${pid} has ended` });

test("[S3] the stores and their guards end when their owner is killed, and their data is whole", async () => {
  // A slow disk gets its time: a store that doesn't end within it is killed, with data that must be recovered.
  const owner = await startOwner({ dataDir, stopMsMax: OPEN_MS_MAX });
  await killOwner(owner);
  for (const { pid, guard } of [owner.postgres, owner.redis]) {
    await gone(pid);
    await gone(guard);
  }
  const log = await readFile(join(dataDir, "postgres/postgres.log"), "utf8");
  expect(log).toContain("database system is shut down");
});

test.runIf(isNightly)("the temporary folders of throwaway stores go with a killed owner", async () => {
  const owner = await startOwner({ throwaway: true });
  const command = (await readProcess(owner.postgres.pid))?.command ?? "";
  const folder = /-D (\S+)\/cluster/u.exec(command)?.[1] ?? "";
  expect(existsSync(folder)).toBe(true);
  await killOwner(owner);
  for (const { guard } of [owner.postgres, owner.redis]) await gone(guard);
  expect(existsSync(folder)).toBe(false);
});

test.runIf(isNightly)(
  "stores whose owner and guard were both killed are taken over by the next start",
  async () => {
    const owner = await startOwner({ dataDir });
    // Halted first: a living owner that sees a guard die ends the store itself.
    owner.process.kill("SIGSTOP");
    await until(() => isHalted(owner.process.pid ?? 0), { what: "the owner is halted" });
    for (const store of [owner.postgres, owner.redis]) await killGuard(store);
    await killOwner(owner);
    for (const { pid } of [owner.postgres, owner.redis]) expect(await readProcess(pid)).not.toBeNull();

    const postgres = await openPostgres({ dataDir });
    const redis = await openRedis({ dataDir, env: process.env });
    for (const { pid } of [owner.postgres, owner.redis]) expect(await readProcess(pid)).toBeNull();
    await postgres.close();
    await redis.close();
  },
);

test("a pid file whose number belongs to somebody else by now does not stop the start", async () => {
  const stranger = spawn("sleep", ["60"], { stdio: "ignore" });
  started.push(stranger.pid ?? 0);
  const pidFile = join(dataDir, "postgres/cluster/postmaster.pid");
  await writeFile(
    pidFile,
    `${stranger.pid}\n${join(dataDir, "postgres/cluster")}\n1700000000\n5432\n\n127.0.0.1\n`,
  );
  await writeFile(join(dataDir, "redis/redis.pid"), `${stranger.pid}\n`);
  const sockets = [".s.PGSQL.5432", ".s.PGSQL.5432.lock"].map((name) => join(dataDir, "postgres", name));
  for (const file of sockets) await writeFile(file, `${stranger.pid}\n`);

  const postgres = await openPostgres({ dataDir });
  const redis = await openRedis({ dataDir, env: process.env });
  expect(stranger.exitCode).toBeNull();
  expect(sockets.filter(existsSync)).toEqual([]);
  await postgres.close();
  await redis.close();
  const ended = once(stranger, "close");
  stranger.kill();
  await ended;
});
