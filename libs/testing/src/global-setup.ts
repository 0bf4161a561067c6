import type { TestProject } from "vitest/node";
import { keptRedisDir, locateRedis } from "@bulkhead/stores";
import { leavePostgres, usePostgres } from "./shared-postgres.ts";

/**
 * One throwaway PostgreSQL for the whole run, with the product's migrations applied once, into a template; and a Redis
 * program, which is fetched here, before any test, where none is installed. Throws when there is none to be had.
 */
export async function setup(project: TestProject): Promise<void> {
  const fetchedDir = await keptRedisDir(process.env);
  if (fetchedDir === null)
    throw new Error("Tests keep a Redis in ~/.cache (or XDG_CACHE_HOME), which can't be written.");
  await locateRedis({ env: process.env, fetchedDir, progress: (line) => console.log(line) });
  project.provide("testPostgres", await usePostgres());
}

export async function teardown(): Promise<void> {
  await leavePostgres();
}
