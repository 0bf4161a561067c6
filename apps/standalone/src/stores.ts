export { type EmbeddedPostgres, openPostgres } from "./postgres/postgres.ts";
export { keptRedisDir } from "./redis/kept-redis.ts";
export { locateRedis } from "./redis/locate-redis.ts";
export { type EmbeddedRedis, openRedis } from "./redis/redis.ts";
export { freePort } from "./stores/free-port.ts";
export { type GuardedProcess, startGuarded } from "./stores/guarded-process.ts";
