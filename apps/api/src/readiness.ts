import type { Platform } from "@bulkhead/platform";
import { checkRedis, serverVersion } from "@bulkhead/redis";
import type { Readiness } from "./routes/system/health.ts";

type Probed = Pick<Platform, "database" | "redis" | "queue" | "signals">;

/** The API is ready where PostgreSQL answers, its tables are of this version, and both connections to Redis are there. */
export const readinessOf = ({ database, redis, queue, signals }: Probed): Readiness => ({
  postgres: async () => {
    await database.ping();
    return true;
  },
  migrations: async () => (await database.pendingMigrations()).length === 0,
  redis: async () => {
    // Each connection comes back in its own time, and calls need both.
    await Promise.all([checkRedis(redis.commands), queue.ping()]);
    return signals.connected;
  },
});

/** The versions of the two stores, as they tell them. */
export const storeVersionsOf = ({ database, redis }: Pick<Platform, "database" | "redis">) => ({
  postgres: () => database.serverVersion(),
  redis: () => serverVersion(redis.commands),
});
