import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "../stores/free-port.ts";
import type { GuardedProcess } from "../stores/guarded-process.ts";
import { holdsSocket } from "../stores/holds-socket.ts";
import { locatePostgres } from "./postgres-binaries.ts";
import { createCluster } from "./postgres-cluster.ts";
import { clearPostgresLeftover } from "./postgres-leftover.ts";
import { waitForPostgres } from "./postgres-ready.ts";
import { startPostgres, type PostgresServer } from "./postgres-server.ts";
import { keepPassword } from "../stores/private-folder.ts";
import { StoreError } from "../stores/store-error.ts";
import { openStoreFolder, STOP_MS_MAX, type StoreLocation, type StorePort } from "../stores/store-folder.ts";
import { logTail, rotateLog, sizeOf } from "../stores/store-log.ts";
import { chooseUnprivileged } from "../stores/unprivileged.ts";

export type PostgresOptions = StoreLocation &
  StorePort & {
    /** Connections at once; 100 when unset. */
    connectionsMax?: number;
    /** How long `close` waits before it ends the server by force; 5 s when unset. */
    stopMsMax?: number;
    /** Hears of slow steps, one line each. */
    progress?: (line: string) => void;
  };

/** A PostgreSQL of our own. */
export interface EmbeddedPostgres {
  /** Holds the password: never print it. */
  readonly url: string;
  /** The same through its socket, at half the cost of a round trip; through the port where its folder holds no socket. */
  readonly socketUrl: string;
  readonly port: number;
  readonly pid: number;
  /** Resolves when the server has ended, asked for or not. */
  readonly ended: Promise<void>;
  /** A fast shutdown: open transactions are rolled back, committed ones stay. Safe to call again. */
  close(): Promise<void>;
}

/** Includes the recovery after a crash, which replays up to `max_wal_size` of log. */
const START_MS_MAX = 60_000;
const TRIES_MAX = 10;
const RETRY_MS = 300;
const CONNECTIONS_MAX = 100;
const USER = "bulkhead";
/** How PostgreSQL names its socket, at the longest. */
const SOCKET_LONGEST = ".s.PGSQL.65535";

/**
 * Starts PostgreSQL on its folder (made on the first call), on a free port of 127.0.0.1, with a password that only this
 * user can read. It ends with this process, however that ends. Expected failures are StoreErrors.
 */
export async function openPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const binaries = locatePostgres();
  const { folder, throwaway } = await openStoreFolder(options, "postgres");
  const discard = async (): Promise<void> => {
    if (throwaway) await rm(folder, { recursive: true, force: true });
  };
  try {
    const { server, ...where } = await prepareAndStart(options, binaries, folder, throwaway);
    const { pid, ended } = server;
    return { ...where, pid, ended, close: () => server.stop().then(discard) };
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

async function prepareAndStart(
  options: PostgresOptions,
  binaries: { initdb: string; postgres: string },
  folder: string,
  throwaway: boolean,
): Promise<Started> {
  const stopMsMax = options.stopMsMax ?? STOP_MS_MAX;
  const way = await chooseUnprivileged(binaries, folder);
  const password = await keepPassword(join(folder, "password"));
  await clearPostgresLeftover(folder, stopMsMax);
  const logFile = join(folder, "postgres.log");
  await rotateLog(logFile);
  await createCluster({ binaries, way, folder, throwaway, user: USER, progress: options.progress });
  const connectionsMax = options.connectionsMax ?? CONNECTIONS_MAX;
  const socketFolder = (await holdsSocket(folder, SOCKET_LONGEST)) ? folder : null;
  const { postgres } = binaries;
  const plan = { postgres, way, folder, logFile, socketFolder, connectionsMax, stopMsMax, throwaway };
  for (let tries = 1; ; tries += 1) {
    const started = await startOn(
      { ...plan, port: options.port ?? (await freePort({ except: options.portsKept ?? [] })) },
      password,
    );
    if (typeof started === "object") return started;
    if (tries === TRIES_MAX || (started === "port taken" && options.port !== undefined)) {
      throw new StoreError(`PostgreSQL could not start (${started}), port ${options.port ?? "any"}.`);
    }
    await delay(RETRY_MS);
  }
}

/** The old server's backends need a moment to see that their postmaster was killed. */
type NotYet = "port taken" | "old server still ending";

async function startOn(plan: PostgresServer, password: string): Promise<Started | NotYet> {
  const logFrom = await sizeOf(plan.logFile);
  const server = await startPostgres(plan);
  const { port, socketFolder } = plan;
  const url = `postgresql://${USER}:${password}@127.0.0.1:${port}/bulkhead`;
  const socketUrl = socketFolder === null ? url : `${url}?host=${encodeURIComponent(socketFolder)}`;
  try {
    if (await waitForPostgres(url, server, START_MS_MAX)) return { server, url, socketUrl, port };
  } catch (cause) {
    await server.stop();
    throw cause;
  }
  const tail = await logTail(plan.logFile, logFrom);
  await server.stop();
  if (tail.includes("could not bind")) return "port taken";
  if (tail.includes("pre-existing shared memory block")) return "old server still ending";
  throw new StoreError(`PostgreSQL did not start. Its last lines (${plan.logFile}):\n${tail}`);
}
