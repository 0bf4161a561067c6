import { openPostgres } from "./postgres/postgres.ts";
import { openRedis } from "./redis/redis.ts";
import type { Running } from "./supervise/supervise.ts";

export interface StoreStart {
  dataDir: string;
  env: NodeJS.ProcessEnv;
  /**
   * Ports that the API and the worker will listen at: no store may take one, though they are free while the stores start.
   */
  portsKept: readonly number[];
  progress: (line: string) => void;
}

/** An embedded store; started again at the same address when it dies, so that everyone finds it again. */
export interface OwnStore extends Running {
  readonly url: string;
  readonly port: number;
}

/** Less than the default: the whole stop has ten seconds. */
const STOP_MS_MAX = 2_500;

export async function startOwnPostgres(start: StoreStart, before: OwnStore | null): Promise<OwnStore> {
  const again = before === null ? {} : { port: before.port };
  const store = await openPostgres({ ...start, stopMsMax: STOP_MS_MAX, ...again });
  return atTheSameAddress(asRunning(store), before);
}

export async function startOwnRedis(start: StoreStart, before: OwnStore | null): Promise<OwnStore> {
  const again = before === null ? {} : { port: before.port };
  const store = await openRedis({ ...start, stopMsMax: STOP_MS_MAX, ...again });
  return atTheSameAddress(asRunning(store), before);
}

interface OpenStore {
  socketUrl: string;
  port: number;
  ended: Promise<void>;
  close(): Promise<void>;
}

const asRunning = (store: OpenStore): OwnStore => ({
  url: store.socketUrl,
  port: store.port,
  ended: store.ended.then(() => "has died"),
  stop: () => store.close(),
});

/**
 * Clients of a store know only the address of its first start: a store that can't have its socket back is of no use to
 * them.
 */
async function atTheSameAddress(store: OwnStore, before: OwnStore | null): Promise<OwnStore> {
  if (before === null || store.url === before.url) return store;
  await store.stop();
  throw new Error("came back without its socket: see that the data folder's disk has room");
}
