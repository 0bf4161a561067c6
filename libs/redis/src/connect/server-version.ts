import { Fault } from "@bulkhead/core";
import type { RedisClient } from "./connect.ts";

/**
 * The version of the server behind a connection, as in `7.0.15`; of a cluster some node's. Throws `service.unavailable`
 * when it doesn't answer.
 */
export async function serverVersion(redis: RedisClient): Promise<string> {
  try {
    const info = await redis.info("server");
    return /^redis_version:(\S+)/mu.exec(info)?.[1] ?? "unknown";
  } catch (cause) {
    throw new Fault("service.unavailable", { internal: "Redis did not tell its version", cause });
  }
}
