import { fetchRedisWithApt, fetchedRedis } from "./apt-redis.ts";
import { buildRedis } from "./build-redis.ts";
import { findOnPath } from "@bulkhead/process";
import { installRedisHint } from "./install-redis-hint.ts";
import { probeRedis } from "./probe-redis.ts";
import type { RedisBinary, RedisSource, RedisSearch, RedisSearchEnd } from "./redis-binary.ts";
import { StoreError } from "../stores/store-error.ts";

/** In this order: an installed Redis, one that was fetched before, the distribution's packages, a build from source. */
const SOURCES: readonly RedisSource[] = [installedRedis, fetchedRedis, fetchRedisWithApt, buildRedis];

/** The first Redis that runs here; throws a StoreError that tells why each source failed and how to install one. */
export async function locateRedis(
  search: RedisSearch,
  sources: readonly RedisSource[] = SOURCES,
): Promise<RedisBinary> {
  const refusals: string[] = [];
  for (const source of sources) {
    const end = await source(search);
    if ("binary" in end) return end.binary;
    refusals.push(end.refusal);
  }
  throw new StoreError(
    `There is no Redis. ${await installRedisHint()}\nTried:\n` +
      refusals.map((refusal) => `  ${refusal.replaceAll("\n", "\n    ")}`).join("\n"),
  );
}

/** `redis-server`, else `valkey-server`, of PATH. */
async function installedRedis({ env }: RedisSearch): Promise<RedisSearchEnd> {
  const refusals: string[] = [];
  for (const name of ["redis-server", "valkey-server"]) {
    const command = await findOnPath(name, env["PATH"] ?? "");
    if (command === null) continue;
    const probed = await probeRedis(command, {});
    if ("binary" in probed) return probed;
    refusals.push(probed.refusal);
  }
  return { refusal: refusals.join("; ") || "neither redis-server nor valkey-server is on PATH" };
}
