import { strict as assert } from "node:assert";
import { setTimeout as pause } from "node:timers/promises";
import { TENANT_ID, type TenantRemnants, Fault } from "@bulkhead/core";
import { mastersOf } from "../connect/masters.ts";
import type { Redis } from "ioredis";
import type { StreamRedis } from "./stream-redis.ts";

/** Keys that one look goes past: less than a millisecond of Redis's. */
const LOOK_SIZE = 1_000;
/** Between two looks others are served; milliseconds. */
const PAUSE_MS = 2;

/**
 * Finds all keys of a tenant whose names have its id: streams of executions and of the tenant, rates, marks, and the
 * queue's keys. It scans every key of every server in small steps, since no list of a tenant's keys is kept.
 */
export const openTenantRemnants = ({ commands }: Pick<StreamRedis, "commands">): TenantRemnants => ({
  async clear(tenantId, signal) {
    // It becomes a pattern.
    assert(TENANT_ID.test(tenantId), "a tenant's id has its form");
    try {
      let gone = 0;
      for (const server of await mastersOf(commands)) gone += await clearOn(server, tenantId, signal);
      return gone;
    } catch (cause) {
      throw new Fault("service.unavailable", { internal: "a tenant's keys could not be forgotten", cause });
    }
  },
});

async function clearOn(server: Redis, tenantId: string, signal: AbortSignal): Promise<number> {
  let gone = 0;
  let cursor = "0";
  do {
    const [next, found] = await server.scan(cursor, "MATCH", `*${tenantId}*`, "COUNT", LOOK_SIZE);
    // One by one: in a cluster they may lie in several slots.
    const unlinked = await Promise.all(found.map((key) => server.unlink(key)));
    gone += unlinked.reduce((sum, count) => sum + count, 0);
    cursor = next;
    if (cursor !== "0") await pause(PAUSE_MS);
  } while (cursor !== "0" && !signal.aborted);
  return gone;
}
