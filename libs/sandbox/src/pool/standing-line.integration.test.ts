import { leakCheck, until } from "@bulkhead/testing";
import { afterEach, expect, it } from "vitest";
import { openSandboxPool, type SandboxPool } from "./sandbox-pool.ts";
import { Heard, toolRun } from "./testing/tool-runs.ts";

leakCheck();
let pool: SandboxPool;
afterEach(() => pool.close());

it("gives a tenant another process where its line stands, though none of its runs waits for long", async () => {
  const patience = { patienceMs: 200, computingPatienceMs: 600_000 };
  pool = openSandboxPool({ processesMax: 6, blankTarget: 1, ...patience, headroom: () => 0.5 });
  const wait = toolRun("await new Promise((resolve) => setTimeout(resolve, 20));", { tenantId: "ten_a" });
  const stop = new AbortController();
  // Of three at a time, each waits for two of 20 ms and loses no patience of its own.
  const loops = Array.from({ length: 3 }, async () => {
    while (!stop.signal.aborted) {
      const { outcome } = await pool.run({ ...wait }, new Heard(), AbortSignal.timeout(60_000));
      if (outcome !== "returned") return;
    }
  });
  const held = (): number => pool.stats().processes.filter(({ tenantId }) => tenantId === "ten_a").length;
  await until(() => held() > 1, { what: "the tenant has a second process" });
  stop.abort();
  await Promise.all(loops);
  expect(pool.stats().losses.killed).toMatchObject({ crashed: 0 });
});
