import type { TestProject } from "vitest/node";
import { locateRedis } from "@bulkhead/stores";
import { leavePostgres, usePostgres } from "./shared-postgres.ts";

import { FETCHED_DIR } from "./test-redis.ts";

/**
 * One throwaway PostgreSQL for the whole run, with the product's migrations applied once, into a template; and a Redis
 * program, which is fetched here, before any test, where none is installed. Throws when there is none to be had.
 */
export async function setup(project: TestProject): Promise<void> {
  await locateRedis({ env: process.env, fetchedDir: FETCHED_DIR, progress: (line) => console.log(line) });
  project.provide("testPostgres", await usePostgres());
}

export async function teardown(): Promise<void> {
  await leavePostgres();
}
