import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  freePort,
  keptRedisDir,
  locateRedis,
  startGuarded,
  type GuardedProcess,
} from "@bulkhead/standalone/stores";
import { askRedis } from "./ask-redis.ts";
import { until } from "./until.ts";

export interface RedisProcessInput {
  password: string;
  /** More of redis.conf; `start` passes the port. */
  config: (port: number) => string[] | Promise<string[]>;
  /** Watches masters instead of holding data. */
  isSentinel?: boolean;
}

/** One redis-server of a cluster or of a group behind Sentinels. It ends with this process. */
export interface RedisProcess {
  readonly port: number;
  readonly pid: number;
  /** Sends commands in one go; the raw replies. Throws when one of them is an error. */
  ask(...commands: string[]): Promise<string>;
  /** Sends SIGKILL; the files in its folder are kept. */
  kill(): Promise<void>;
  /** After `kill`: at the same port, with its old configuration. */
  startAgain(): Promise<void>;
  close(): Promise<void>;
}

const STOP_MS_MAX = 2_000;
/** Another process may take a port that was free a moment ago. */
const PORT_TRIES_MAX = 5;

export async function startRedisProcess(input: RedisProcessInput): Promise<RedisProcess> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await startOn(input, await freePort());
    } catch (error) {
      if (tries === PORT_TRIES_MAX) throw error;
    }
  }
}

async function startOn({ password, config, isSentinel = false }: RedisProcessInput, port: number) {
  const folder = await mkdtemp(join(tmpdir(), "bulkhead-test-redis-"));
  const configFile = join(folder, "redis.conf");
  const common = [
    "bind 127.0.0.1",
    `port ${port}`,
    `dir ${folder}`,
    `requirepass ${password}`,
    ...(isSentinel
      ? []
      : [`masterauth ${password}`, "maxmemory-policy noeviction", 'save ""', "appendonly no"]),
  ];
  await writeFile(configFile, [...common, ...(await config(port)), ""].join("\n"), { mode: 0o600 });
  let server = await spawn(folder, configFile, isSentinel);
  const ask = (...commands: string[]): Promise<string> => askRedis({ port, password }, commands);
  const close = async (): Promise<void> => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  const answers = async (): Promise<void> => {
    const said = await until(() => (server.hasEnded() ? "ended" : ask("PING")), {
      what: `Redis answers at port ${port}`,
    });
    if (said === "ended") throw new Error(`Redis did not start at port ${port}`);
  };
  await answers().catch(async (cause: unknown) => {
    await close();
    throw cause;
  });
  return {
    port,
    get pid() {
      return server.pid;
    },
    ask,
    close,
    kill: () => server.kill(),
    startAgain: async () => {
      server = await spawn(folder, configFile, isSentinel);
      await answers();
    },
  };
}

async function spawn(folder: string, configFile: string, isSentinel: boolean): Promise<GuardedProcess> {
  const { command, env } = await locateRedis({
    env: process.env,
    fetchedDir: (await keptRedisDir(process.env)) ?? folder,
  });
  return startGuarded({
    command,
    args: [configFile, ...(isSentinel ? ["--sentinel"] : [])],
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C", ...env },
    cwd: folder,
    identity: null,
    logFile: join(folder, "redis.log"),
    stopSignal: "TERM",
    stopMsMax: STOP_MS_MAX,
    removeWith: folder,
  });
}

/** Closes all of them, also after a failure. */
export async function closeAll(processes: RedisProcess[]): Promise<void> {
  const closed = await Promise.allSettled(processes.splice(0).map((one) => one.close()));
  const failed = closed.find((end) => end.status === "rejected");
  if (failed) throw failed.reason;
}
