import { Fault } from "@bulkhead/core";
import type { Redis } from "ioredis";
import { answered } from "./answered.ts";

/**
 * Throws `service.unavailable` unless every master keeps all keys that have not expired: one that evicts would lose slots
 * and backlogs without a word. Asks `INFO`, since managed services forbid `CONFIG`.
 */
export async function refuseEviction(masters: Pick<Redis, "info">[]): Promise<void> {
  const policies = await Promise.all(masters.map(policyOf));
  const evicting = policies.find((policy) => policy !== "noeviction");
  if (evicting === undefined) return;
  throw new Fault("service.unavailable", {
    internal: `Redis may evict keys (maxmemory-policy is ${evicting}): set maxmemory-policy noeviction`,
  });
}

async function policyOf(master: Pick<Redis, "info">): Promise<string> {
  const info = await answered(master.info("memory"));
  return /^maxmemory_policy:(\S+)/mu.exec(info)?.[1] ?? "unknown";
}
