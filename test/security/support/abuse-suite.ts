import type { RunLimits } from "@bulkhead/core";
import { openSandboxPool, type SandboxPool } from "@bulkhead/sandbox";
import { isNightly, leakCheck, until } from "@bulkhead/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { printReport, type RowReport } from "./abuse-report.ts";
import { LAYERS, type AbuseRow } from "./abuse-row.ts";
import { Canary } from "./canary.ts";
import { chosenRows, limitsOf, type Families } from "./chosen-rows.ts";
import { hostTraceIn } from "./host-traces.ts";
import { areDead, ProcessWatch } from "./process-watch.ts";
import { Slots } from "./slots.ts";
import { Listener, runHeard, toolRun } from "./tool-run.ts";

/** Rows that run side by side, each in a tenant's process. */
const SLOTS = 2;
/** A row's time, in milliseconds: it waits for its turn as well. */
const ROW_MS_MAX = 600_000;
/** What the worker may grow by in one row: far more than frames on their way and the garbage of the tests, far less than a flood. */
const WORKER_GROWTH_MIB_MAX = 384;
/** What a sandbox may grow by before somebody has ended it: more than the system lets it have where it sets a line. */
const SANDBOX_GROWTH_MIB_MAX = 1_024;
/** The rows end their processes by design: the pool gives new ones at any pace. */
const ANY_PACE = { burst: 10_000, perSecond: 10_000 };
const MIB = 2 ** 20;

/**
 * Tests that every row ends as it says, by a layer that can, with its process dead where it must be, without a trace of the
 * host in anything it saw or said, while another tenant works beside it unharmed; and that the pool serves its tenant
 * afterwards. All rows are tried at night, those that `chosenRows` picks else.
 */
export function abuseSuite(title: string, limits: Partial<RunLimits>, families: Families): void {
  leakCheck();
  const rows = isNightly ? Object.values(families).flat() : chosenRows(families);
  const slots = new Slots(SLOTS);
  const reports: RowReport[] = [];
  let pool: SandboxPool;
  let canary: Canary;
  beforeAll(async () => {
    pool = openSandboxPool({ processesMax: SLOTS + 3, blankTarget: 2, lossPace: ANY_PACE });
    canary = new Canary(pool);
    await canary.start();
  });
  afterAll(async () => {
    await canary.stop();
    await pool.close();
    printReport(title, reports, canary);
  });

  describe(title, () => {
    it.concurrent.each(rows)("%s", { timeout: ROW_MS_MAX }, async (...row) => {
      const slot = await slots.take();
      try {
        const report = await endure(pool, canary, `ten_slot_${slot}`, limitsOf(row, limits), row);
        expect(report.workerMib, "the worker's growth in MiB").toBeLessThan(WORKER_GROWTH_MIB_MAX);
        expect(report.sandboxMib, "the sandbox's growth in MiB").toBeLessThan(SANDBOX_GROWTH_MIB_MAX);
        reports.push(report);
      } finally {
        slots.give(slot);
      }
    });
  });

  describe(`after them (${title})`, () => {
    it("[B3] the other tenant got every answer, and each was right", () => {
      expect(canary.faults).toEqual([]);
      expect(canary.runs).toBeGreaterThan(0);
    });
    it("there are as many processes as before", async () => {
      await until(() => pool.stats().running <= 1 && pool.stats().processes.length <= SLOTS + 3, {
        what: "no run is left",
      });
    });
  });
}

async function endure(
  pool: SandboxPool,
  canary: Canary,
  tenantId: string,
  limits: RunLimits,
  [name, code, ends, details = {}]: AbuseRow,
): Promise<RowReport> {
  const { network = false, argumentsJson = "{}" } = details;
  const cancel = new AbortController();
  const watching: { watch: ProcessWatch | null } = { watch: null };
  const listener = new (class extends Listener {
    override onStarted(): void {
      const bound = pool
        .stats()
        .processes.filter((each) => each.tenantId === tenantId && !areDead([each.pid]));
      watching.watch?.stop();
      watching.watch = new ProcessWatch(bound.at(-1)?.pid ?? -1, limits);
      if (details.cancelAfterMs === undefined) return;
      setTimeout(() => {
        watching.watch?.cancelled();
        cancel.abort();
      }, details.cancelAfterMs);
    }
  })();
  const [workerBefore, sungBefore] = [process.memoryUsage.rss(), canary.runs];
  const run = toolRun({ code, tenantId, argumentsJson, network, limits });
  const verdict = await runHeard(pool, run, listener, cancel.signal);
  const { watch } = watching;
  try {
    const saw = `${listener.said.join("\n")}\n${"json" in verdict ? verdict.json : verdict.message}`;
    const shown = `${JSON.stringify(verdict).slice(0, 2_000)}\n${listener.said.slice(0, 20).join("\n").slice(0, 2_000)}`;
    expect([ends].flat(), shown).toContain(verdict.outcome);
    expect(details.by ?? LAYERS[verdict.outcome], shown).toContain(verdict.endedBy);
    if ("returns" in details) expect(valueOf(verdict), shown).toEqual(details.returns);
    if (details.message !== undefined)
      expect("message" in verdict && verdict.message).toMatch(details.message);
    if (details.said !== undefined) expect(listener.said.join("\n")).toMatch(details.said);
    expect(hostTraceIn(saw)).toBeNull();
    const mustDie = MUST_DIE.has(verdict.outcome);
    if (mustDie) await until(() => watch?.deadAt, { what: "the guest is dead" });
    const after = await runHeard(pool, toolRun({ code: "return 7", tenantId }));
    expect(after).toMatchObject({ outcome: "returned", json: "7" });
    await until(() => canary.runs > sungBefore, { what: "the other tenant had its turn" });
    expect(canary.faults).toEqual([]);
    const workerMib = (process.memoryUsage.rss() - workerBefore) / MIB;
    const sandboxMib = Math.max(0, (watch?.rssMibPeak ?? 0) - (watch?.rssMibBefore ?? 0));
    return {
      name,
      verdict,
      deathMs: mustDie ? (watch?.deathMs ?? null) : null,
      deathMsByClock: mustDie ? (watch?.deathMsByClock ?? null) : null,
      sandboxMib,
      workerMib,
    };
  } finally {
    watch?.stop();
  }
}

const MUST_DIE = new Set<string>(["cpu", "wall", "memory", "crashed", "aborted"]);

const valueOf = (verdict: { outcome: string; json?: string }): unknown =>
  verdict.json === undefined ? undefined : JSON.parse(verdict.json);
