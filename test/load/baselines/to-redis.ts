import { fetchingConnection } from "@bulkhead/redis";

/** How BullMQ reaches the Redis of this URL: through the same kind of socket as Bulkhead. */
export const toRedis = (redisUrl = process.env["REDIS_URL"] ?? "") =>
  fetchingConnection({ redisUrl, name: "baseline" }).connection;
