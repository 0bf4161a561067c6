import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "../stores/free-port.ts";
import { startGuarded, type GuardedProcess } from "../stores/guarded-process.ts";
import { holdsSocket } from "../stores/holds-socket.ts";
import { keptRedisDir } from "./kept-redis.ts";
import { clearLeftover } from "../stores/leftover.ts";
import { locateRedis } from "./locate-redis.ts";
import { keepPassword } from "../stores/private-folder.ts";
import type { RedisBinary } from "./redis-binary.ts";
import { redisConfig } from "./redis-config.ts";
import { waitForRedis } from "./redis-ready.ts";
import { StoreError } from "../stores/store-error.ts";
import { openStoreFolder, STOP_MS_MAX, type StoreLocation, type StorePort } from "../stores/store-folder.ts";
import { logTail, rotateLog, sizeOf } from "../stores/store-log.ts";

export type RedisOptions = StoreLocation &
  StorePort & {
    /** The search path for programs (PATH) and the proxy settings for package servers. */
    env: NodeJS.ProcessEnv;
    /** The folder for a Redis that had to be fetched; the user's cache folder when unset, else beside the data. */
    fetchedDir?: string;
    /** Exactly this password; one that is made and kept when unset. */
    password?: string;
    /** How long `close` waits before it ends the server by force; 5 s when unset. */
    stopMsMax?: number;
    /** Hears of slow steps, one line each. */
    progress?: (line: string) => void;
  };

/** A Redis of our own. */
export interface EmbeddedRedis {
  /** Holds the password: never print it. */
  readonly url: string;
  /** The same through its socket, at half the cost of a round trip; through the port where its folder holds no socket. */
  readonly socketUrl: string;
  readonly port: number;
  readonly pid: number;
  /** Resolves when the server has ended, asked for or not. */
  readonly ended: Promise<void>;
  /** Writes its data to disk and ends. Safe to call again. */
  close(): Promise<void>;
  /** SIGKILL, as when the machine's memory ran out. */
  kill(): Promise<void>;
}

/** Loading a large append-only file takes its time. */
const START_MS_MAX = 60_000;
const PORT_TRIES_MAX = 5;
const SOCKET = "redis.sock";

/**
 * Starts Redis on its folder, on 127.0.0.1, with a password that only this user can read, an append-only file flushed
 * every second and no eviction. It ends with this process, however that ends. Expected failures are StoreErrors.
 */
export async function openRedis(options: RedisOptions): Promise<EmbeddedRedis> {
  const { folder, throwaway } = await openStoreFolder(options, "redis");
  const discard = async (): Promise<void> => {
    if (throwaway) await rm(folder, { recursive: true, force: true });
  };
  try {
    const { server, ...where } = await prepareAndStart(options, folder, throwaway);
    const close = (): Promise<void> => server.stop().then(discard);
    return {
      ...where,
      pid: server.pid,
      ended: server.ended,
      close,
      kill: () => server.kill().then(discard),
    };
  } catch (cause) {
    await discard();
    throw cause;
  }
}

interface Started {
  server: GuardedProcess;
  url: string;
  socketUrl: string;
  port: number;
}

/** The files of one Redis. */
interface RedisPlan {
  binary: RedisBinary;
  folder: string;
  configFile: string;
  pidFile: string;
  socket: string | null;
  logFile: string;
  password: string;
  stopMsMax: number;
  throwaway: boolean;
}

/** A data folder that keeps a Redis already goes on with it, so that it needs no package server again. */
async function fetchedDirOf(folder: string, env: NodeJS.ProcessEnv): Promise<string> {
  const own = join(folder, "program");
  return existsSync(own) ? own : ((await keptRedisDir(env)) ?? own);
}

async function prepareAndStart(options: RedisOptions, folder: string, throwaway: boolean): Promise<Started> {
  const fetchedDir = options.fetchedDir ?? (await fetchedDirOf(folder, options.env));
  const plan: RedisPlan = {
    binary: await locateRedis({ env: options.env, fetchedDir, progress: options.progress }),
    folder,
    configFile: join(folder, "redis.conf"),
    pidFile: join(folder, "redis.pid"),
    socket: (await holdsSocket(folder, SOCKET)) ? join(folder, SOCKET) : null,
    logFile: join(folder, "redis.log"),
    password: options.password ?? (await keepPassword(join(folder, "password"))),
    stopMsMax: options.stopMsMax ?? STOP_MS_MAX,
    throwaway,
  };
  await clearLeftover({
    storeName: "Redis",
    folder,
    pidFile: plan.pidFile,
    isStore: (command) => command.includes(plan.configFile),
    stopSignal: "SIGTERM",
    stopMsMax: plan.stopMsMax,
  });
  await rotateLog(plan.logFile);
  await mkdir(join(folder, "data"), { recursive: true, mode: 0o700 });
  if (options.port !== undefined) {
    const started = await startOn(plan, options.port);
    if (started === "port taken")
      throw new StoreError(`Redis could not bind port ${options.port}: it is taken.`);
    return started;
  }
  for (let tries = 1; tries <= PORT_TRIES_MAX; tries += 1) {
    const started = await startOn(plan, await freePort({ except: options.portsKept ?? [] }));
    if (started !== "port taken") return started;
  }
  throw new StoreError(`Redis found no free port of 127.0.0.1 in ${PORT_TRIES_MAX} tries.`);
}

async function startOn(plan: RedisPlan, port: number): Promise<Started | "port taken"> {
  const { folder, pidFile, socket, password, logFile } = plan;
  const config = redisConfig({
    folder: join(folder, "data"),
    pidFile,
    port,
    socket,
    password,
    durable: !plan.throwaway,
  });
  await writeFile(plan.configFile, config, { mode: 0o600 });
  const logFrom = await sizeOf(logFile);
  const server = await startServer(plan);
  if (await waitForRedis({ port, password, server, msMax: START_MS_MAX })) {
    const url = `redis://:${password}@127.0.0.1:${port}`;
    const socketUrl = socket === null ? url : `redis+unix://:${password}@${inUrl(socket)}`;
    return { server, url, socketUrl, port };
  }
  const tail = await logTail(logFile, logFrom);
  await server.stop();
  if (/Address already in use/iu.test(tail)) return "port taken";
  throw new StoreError(`Redis did not start. Its last lines (${logFile}):\n${tail}`);
}

const inUrl = (path: string): string => path.split("/").map(encodeURIComponent).join("/");

function startServer(plan: RedisPlan): Promise<GuardedProcess> {
  return startGuarded({
    command: plan.binary.command,
    args: [plan.configFile],
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C", ...plan.binary.env },
    cwd: plan.folder,
    identity: null,
    logFile: plan.logFile,
    stopSignal: "TERM",
    stopMsMax: plan.stopMsMax,
    removeWith: plan.throwaway ? plan.folder : null,
  });
}
