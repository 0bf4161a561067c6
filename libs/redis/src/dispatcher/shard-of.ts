import assert from "node:assert";
import { SHARDS_MAX } from "./names.ts";

const OFFSET_BASIS = 0x811c9dc5;
const PRIME = 0x01000193;

/** The shard that holds a tenant: FNV-1a of its id (32 bits), the same in every process and version. */
export function shardOf(tenantId: string, shards: number): number {
  let hash = OFFSET_BASIS;
  for (const byte of Buffer.from(tenantId)) hash = Math.imul(hash ^ byte, PRIME) >>> 0;
  return hash % shards;
}

/** The numbers of all shards. Throws where there can't be so many. */
export function allShards(shards: number): number[] {
  assert(Number.isInteger(shards) && shards >= 1 && shards <= SHARDS_MAX, `1 to ${SHARDS_MAX} shards`);
  return Array.from({ length: shards }, (_, shard) => shard);
}
