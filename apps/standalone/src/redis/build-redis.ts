import { createRequire } from "node:module";
import { join } from "node:path";
import { findOnPath } from "@bulkhead/process";
import { probeRedis } from "./probe-redis.ts";
import type { RedisSearch, RedisSearchEnd } from "./redis-binary.ts";

type RedisBuilder = typeof import("redis-memory-server/lib/util/RedisBinary.js");

const BUILD_MS_MAX = 10 * 60_000;

/** Downloads the source of Redis and compiles it, by `redis-memory-server`; takes minutes, a compiler and the internet. */
export async function buildRedis(search: RedisSearch): Promise<RedisSearchEnd> {
  const path = search.env["PATH"] ?? "";
  for (const tool of ["make", "cc"]) {
    if ((await findOnPath(tool, path)) === null)
      return { refusal: `no build from source: there is no ${tool}` };
  }
  search.progress?.("building Redis from source (a few minutes)");
  try {
    // Loaded only when needed: it brings some forty modules along. By `require`, since `import` of the package's CommonJS
    // differs with the loader.
    const load = createRequire(import.meta.url);
    const { default: builder } = load("redis-memory-server/lib/util/RedisBinary.js") as RedisBuilder;
    const options = { downloadDir: join(search.fetchedDir, "built"), version: "stable" };
    const command = await withinTime(builder.getPath(options));
    return await probeRedis(command, {});
  } catch (cause) {
    return {
      refusal: `the build from source failed: ${cause instanceof Error ? cause.message : String(cause)}`,
    };
  }
}

async function withinTime(build: Promise<string>): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("it took longer than 10 minutes")), BUILD_MS_MAX);
  });
  return Promise.race([build, late]).finally(() => clearTimeout(timer));
}
