import type { TestProject } from "vitest/node";
import { keptRedisDir, locateRedis } from "@bulkhead/standalone/stores";
import { keepCompiledCode } from "./compiled-code.ts";
import { leavePostgres, usePostgres } from "./shared-postgres.ts";

/**
 * One throwaway PostgreSQL for the whole run, with the product's migrations applied once, into a template; a Redis
 * program, which is fetched here, before any test, if none is installed; and the product's code, compiled. Throws when one
 * can't be had.
 */
export async function setup(project: TestProject): Promise<void> {
  const fetchedDir = await keptRedisDir(process.env);
  if (fetchedDir === null)
    throw new Error("Tests keep a Redis in ~/.cache (or XDG_CACHE_HOME), which can't be written.");
  await locateRedis({ env: process.env, fetchedDir, progress: (line) => console.log(line) });
  const [postgres] = await Promise.all([usePostgres(), keepCompiledCode()]);
  project.provide("testPostgres", postgres);
}

export async function teardown(): Promise<void> {
  await leavePostgres();
}
