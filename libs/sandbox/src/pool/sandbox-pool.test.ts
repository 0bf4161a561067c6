import { until } from "@bulkhead/testing";
import { expect, test } from "vitest";
import type { Fleet } from "./fleet.ts";
import { poolSettings } from "./options.ts";
import { ProcessPool } from "./sandbox-pool.ts";
import { runQuietly, toolRun } from "./testing/tool-runs.ts";

test("a newcomer's patience ends with the computing one, however long starts took of late", async () => {
  const newcomersSeen: number[] = [];
  // A full pool in which a tenant runs in several processes and starts took a minute.
  const fleet = {
    count: () => 0,
    countOf: () => 0,
    idleFor: () => undefined,
    someoneHasSeveral: () => true,
    close: () => Promise.resolve(),
    startMs: 60_000,
    isFailing: false,
    bindBlank: () => undefined,
    provide: (_reserves: readonly number[], newcomers: number) => newcomersSeen.push(newcomers),
  } as unknown as Fleet;
  const pool = new ProcessPool(poolSettings({ patienceMs: 1, computingPatienceMs: 20 }), () => fleet);
  const verdict = runQuietly(pool, toolRun("return 1", { tenantId: "ten_new" }));
  await until(() => newcomersSeen.includes(1), { what: "a process may be evicted for the newcomer" });
  await pool.close();
  expect(await verdict).toMatchObject({ outcome: "aborted" });
});
