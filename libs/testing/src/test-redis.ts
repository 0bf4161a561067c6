import { openRedis, type EmbeddedRedis } from "@bulkhead/standalone/stores";
import { askRedis } from "./ask-redis.ts";
import { until } from "./until.ts";

export interface TestRedis {
  readonly url: string;
  /** Safe to call again. */
  close(): Promise<void>;
  /** Sends SIGKILL: clients get no notice, and nothing is kept. */
  kill(): Promise<void>;
  /** Forgets everything while it runs. */
  flush(): Promise<void>;
  /** The same address again, with no data; kills it first when it still runs. */
  restartEmpty(): Promise<void>;
}

/** One server. */
export interface TestRedisServer extends TestRedis {
  /** Through its socket. */
  readonly socketUrl: string;
}

/** A Redis of the caller's own with nothing in it; open one per test file and close it in `afterAll`. */
export async function openTestRedis(): Promise<TestRedisServer> {
  const open = (again: { port?: number; password?: string }): Promise<EmbeddedRedis> =>
    openRedis({ throwaway: true, env: process.env, ...again });
  let redis = await open({});
  const { url, socketUrl, port } = redis;
  return {
    url,
    socketUrl,
    close: () => redis.close(),
    kill: () => redis.kill(),
    flush: async () => void (await askRedis({ port, password: new URL(url).password }, ["FLUSHALL"])),
    restartEmpty: async () => {
      await redis.kill();
      // A search for a free port may hold this one for a moment.
      const again = { port, password: new URL(url).password };
      redis = await until(() => open(again), { what: `Redis is back at port ${port}` });
    },
  };
}
