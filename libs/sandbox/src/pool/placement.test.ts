import { until } from "@bulkhead/testing";
import { expect, test } from "vitest";
import type { Fleet } from "./fleet.ts";
import { poolSettings } from "./options.ts";
import { Placement } from "./placement.ts";
import { toolRun } from "./testing/tool-runs.ts";

test("a newcomer's patience ends with the computing one, however long starts took of late", async () => {
  const newcomersSeen: number[] = [];
  // A full pool in which a tenant runs in several processes and starts took a minute.
  const fleet = {
    processes: {
      count: () => 0,
      countOf: () => 0,
      idleFor: () => undefined,
      someoneHasSeveral: () => true,
    },
    startMs: 60_000,
    isFailing: false,
    bindBlank: () => undefined,
    provide: (_reserves: readonly number[], newcomers: number) => newcomersSeen.push(newcomers),
  } as unknown as Fleet;
  const placement = new Placement(poolSettings({ patienceMs: 1, computingPatienceMs: 20 }), fleet);
  const place = placement.place(toolRun("return 1", { tenantId: "ten_new" }), new AbortController().signal);
  await until(() => newcomersSeen.includes(1), { what: "room is made for the newcomer" });
  placement.close();
  expect(await place).toMatchObject({ outcome: "aborted" });
});
