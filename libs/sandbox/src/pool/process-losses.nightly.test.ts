import { leakCheck, until } from "@bulkhead/testing";
import { afterEach, expect, test } from "vitest";
import type { SandboxPoolOptions } from "./options.ts";
import { KILL_REASONS, LossCounts, RECYCLE_REASONS, type LossReason } from "./process-losses.ts";
import { openSandboxPool, type SandboxPool } from "./sandbox-pool.ts";
import { Heard, runQuietly, toolRun } from "./testing/tool-runs.ts";

leakCheck();
let pool: SandboxPool | null = null;
afterEach(() => pool?.close());

const SLEEPS = "await new Promise((r) => setTimeout(r, 60_000))";
const by = (tenantId: string, code = "return 1") => toolRun(code, { tenantId });

async function stopMidway(of: SandboxPool): Promise<void> {
  const stop = new AbortController();
  const run = of.run(by("ten_a", SLEEPS), new Heard(), stop.signal);
  await until(() => of.stats().running === 1, { what: "it runs" });
  stop.abort();
  await run;
}

async function killFromOutside(of: SandboxPool): Promise<void> {
  await runQuietly(of, by("ten_a"));
  process.kill(of.stats().processes[0]?.pid ?? 0, "SIGKILL");
}

/** One tenant keeps the only process busy until another, which waits, has had its turn. */
async function takeTurns(of: SandboxPool): Promise<void> {
  const served = new AbortController();
  const occupy = async (): Promise<void> => {
    while (!served.signal.aborted)
      expect(await runQuietly(of, by("ten_a", "await new Promise((r) => setTimeout(r, 5))"))).toMatchObject({
        outcome: "returned",
      });
  };
  const occupied = [occupy(), occupy(), occupy()];
  await until(() => of.stats().waiting > 0, { what: "the process is busy" });
  await runQuietly(of, by("ten_b"));
  served.abort();
  await Promise.all(occupied);
}

type Cause = (of: SandboxPool) => Promise<unknown>;
const CASES: Record<Exclude<LossReason, "closing">, [SandboxPoolOptions, Cause]> = {
  runs: [{ runsMax: 1 }, (of) => runQuietly(of, by("ten_a"))],
  age: [{ ageMsMax: 1 }, (of) => runQuietly(of, by("ten_a"))],
  grown: [{ rssMibMax: 1, memoryLineMib: 640 }, (of) => runQuietly(of, by("ten_a"))],
  idle: [{ idleMsMax: 10 }, (of) => runQuietly(of, by("ten_a"))],
  room: [
    { processesMax: 1 },
    async (of) => {
      await runQuietly(of, by("ten_a"));
      await runQuietly(of, by("ten_b"));
    },
  ],
  turn: [{ processesMax: 1, turnMs: 50 }, takeTurns],
  alone: [{}, (of) => runQuietly(of, toolRun("return 1", { alone: true }))],
  cpu: [{}, (of) => runQuietly(of, toolRun("for (;;);", {}, { cpuMs: 50 }))],
  wall: [{}, (of) => runQuietly(of, toolRun(SLEEPS, {}, { wallMs: 100 }))],
  memory: [
    {},
    (of) =>
      runQuietly(
        of,
        toolRun("const a = []; for (;;) a.push('x'.repeat(1e5) + a.length)", {}, { memoryMib: 16 }),
      ),
  ],
  aborted: [{}, stopMidway],
  crashed: [{}, killFromOutside],
  start: [{ startMsMax: 1 }, (of) => runQuietly(of, by("ten_a"))],
};

test.each(Object.entries(CASES))(
  "a process that goes for %s is counted as that",
  async (reason, [options, cause]) => {
    const opened = openSandboxPool({ processesMax: 3, blankTarget: 0, ...options });
    pool = opened;
    // The layers are looked up on processes that are nobody's loss.
    await opened.layers().catch(() => undefined);
    await cause(opened);
    const counted = (): Record<string, number> => {
      const { recycled, killed } = opened.stats().losses;
      return { ...recycled, ...killed };
    };
    await until(() => (counted()[reason] ?? 0) > 0, {
      what: `${reason} is counted: ${JSON.stringify(counted())}`,
    });
  },
);

test("a pool that closes has lost nobody", async () => {
  const opened = openSandboxPool({ processesMax: 3, blankTarget: 0 });
  await runQuietly(opened, by("ten_a"));
  await opened.close();
  expect(opened.stats().losses).toEqual(new LossCounts());
});

test("every reason is counted under a name of its own, from 0", () => {
  const counts = new LossCounts();
  expect(Object.keys(counts.recycled)).toEqual([...RECYCLE_REASONS]);
  expect(Object.keys(counts.killed)).toEqual([...KILL_REASONS]);
  expect(new Set([...RECYCLE_REASONS, ...KILL_REASONS]).size).toBe(
    RECYCLE_REASONS.length + KILL_REASONS.length,
  );
});
