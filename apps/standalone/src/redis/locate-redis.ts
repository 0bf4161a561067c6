import { fetchRedisWithApt, fetchedRedis } from "./apt-redis.ts";
import { buildRedis } from "./build-redis.ts";
import { findOnPath } from "./find-on-path.ts";
import { installRedisHint } from "./install-redis-hint.ts";
import { probeRedis } from "./probe-redis.ts";
import type { RedisBinary, RedisRoad, RedisSearch, RedisSearchEnd } from "./redis-binary.ts";
import { StoreError } from "../stores/store-error.ts";

/** In this order: an installed Redis, one that was fetched before, the distribution's packages, a build from source. */
const ROADS: readonly RedisRoad[] = [installedRedis, fetchedRedis, fetchRedisWithApt, buildRedis];

/** The first Redis that runs here; throws a StoreError that tells each road's obstacle and how to install one. */
export async function locateRedis(
  search: RedisSearch,
  roads: readonly RedisRoad[] = ROADS,
): Promise<RedisBinary> {
  const refusals: string[] = [];
  for (const road of roads) {
    const end = await road(search);
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
