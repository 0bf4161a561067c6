import { setTimeout as delay } from "node:timers/promises";
import type { SandboxVerdict } from "@bulkhead/core";
import { isNightly, leakCheck, until } from "@bulkhead/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { processStat } from "./process-stat.ts";
import { openSandboxPool, type SandboxPool } from "./sandbox-pool.ts";
import { Heard, toolRun } from "./testing/tool-runs.ts";

leakCheck();
let pool: SandboxPool;
beforeAll(() => {
  pool = openSandboxPool({ processesMax: 2, blankTarget: 1 });
});
afterAll(() => pool.close());

/** Processor time after which a run is ended from outside, in milliseconds: clock ticks of the system are ten of them. */
const SPENT_MS = 200;
/** More than the pool takes from one look at a process to the next, in milliseconds. */
const NEXT_LOOK_MS = 100;
/** Out of reach, also where this process is held up while its sandbox spins. */
const AMPLE = { cpuMs: 60_000, wallMs: 60_000 };
/** What has spoken is not tried again by the pool. */
const SPINS = "console.log(1); const a = []; for (let i = 0; i < 3e5; i++) a.push({ i }); for (;;);";

/** Runs it in a process that had run something, and does this to the run once its process has used the processor for long enough. */
async function endAfterSpending(
  tenantId: string,
  end: (pid: number, stop: () => void) => void,
): Promise<SandboxVerdict> {
  const stop = new AbortController();
  await pool.run(toolRun("return 1", { tenantId }), new Heard(), stop.signal);
  const pid = pool.stats().processes.find((each) => each.tenantId === tenantId)?.pid ?? -1;
  const running = pool.run(toolRun(SPINS, { tenantId }, AMPLE), new Heard(), stop.signal);
  // The pool has looked a first time when this is over, and once more after the time was spent: timers ring in their order.
  await delay(NEXT_LOOK_MS);
  const before = processStat(pid)?.cpuMs ?? 0;
  await until(() => (processStat(pid)?.cpuMs ?? 0) - before > SPENT_MS, { what: "it has spent its time" });
  await delay(NEXT_LOOK_MS);
  end(pid, () => stop.abort());
  return running;
}

describe("a run that is ended from outside is billed what the system saw it use", () => {
  it("by a cancel", async () => {
    const verdict = await endAfterSpending("ten_cancelled", (_, stop) => stop());
    expect(verdict).toMatchObject({ outcome: "aborted", endedBy: "worker" });
    expectSpent(verdict);
  });

  it.runIf(isNightly)("by the death of its process", async () => {
    const verdict = await endAfterSpending("ten_killed", (pid) => process.kill(pid, "SIGKILL"));
    expect(verdict).toMatchObject({ outcome: "crashed", endedBy: "system" });
    expectSpent(verdict);
  });
});

/** A look at a process is 50 ms old at most when it dies unasked. */
function expectSpent({ usage }: SandboxVerdict): void {
  expect(usage.cpuMs).toBeGreaterThan(SPENT_MS / 2);
  expect(usage.cpuMs).toBeLessThanOrEqual(usage.wallMs * 4);
  expect(usage.memoryPeakMib).toBeGreaterThan(1);
}
