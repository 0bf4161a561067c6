export { freePort } from "./free-port.ts";
export { startGuarded, type GuardedProcess } from "./guarded-process.ts";
export { keptRedisDir } from "./kept-redis.ts";
export { locateRedis } from "./locate-redis.ts";
export { openPostgres, type EmbeddedPostgres, type PostgresOptions } from "./postgres.ts";
export { openRedis, type EmbeddedRedis, type RedisOptions } from "./redis.ts";
export { readProcess, type ProcessFacts } from "./process-facts.ts";
export type { RedisBinary, RedisSearch } from "./redis-binary.ts";
export { StoreError } from "./store-error.ts";
