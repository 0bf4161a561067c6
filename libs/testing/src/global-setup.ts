import type { TestProject } from "vitest/node";
import { leavePostgres, usePostgres } from "./shared-postgres.ts";

/** One throwaway PostgreSQL for the whole run, with the product's migrations applied once, into a template. */
export async function setup(project: TestProject): Promise<void> {
  project.provide("testPostgres", await usePostgres());
}

export async function teardown(): Promise<void> {
  await leavePostgres();
}
