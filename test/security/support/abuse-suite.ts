import { RUN_LIMITS_DEFAULT, type RunLimits } from "@bulkhead/domain";
import { openSandboxPool, type SandboxPool } from "@bulkhead/sandbox-pool";
import { leakCheck, until } from "@bulkhead/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deathsOf, p99, printReport, type RowReport } from "./abuse-report.ts";
import { LAYERS, type AbuseRow } from "./abuse-row.ts";
import { Canary } from "./canary.ts";
import { hostTraceIn } from "./host-traces.ts";
import { areDead, ProcessWatch } from "./process-watch.ts";
import { Slots } from "./slots.ts";
import { Listener, NEVER, toolRun } from "./tool-run.ts";

/** The bound, from a cancel or a deadline to a dead guest. */
const KILL_MS_MAX = 250;
/** Rows that run side by side, each in a tenant's process. */
const SLOTS = 2;
/** How often a row that misses a bound is tried: what the machine was busy with does not come back, a fault of the product does. */
const TRIES_MAX = 3;
/** A row's time, in milliseconds: it waits for its turn as well. */
const ROW_MS_MAX = 180_000;
/** What the worker may grow by in one row: frames on their way, and the garbage of the tests themselves. */
const WORKER_GROWTH_MIB_MAX = 96;
/** What a sandbox may grow by before somebody has ended it, on top of its heap: allocation outruns every look at it. */
const SANDBOX_GROWTH_MIB_MAX = 512;
const MIB = 2 ** 20;

/**
 * Tests that every row ends as it says, by a layer that can, within the kill bound, without a trace of the host in
 * anything it saw or said, while another tenant works beside it unharmed; and that the pool serves its tenant afterwards.
 */
export function abuseSuite(title: string, limits: Partial<RunLimits>, rows: AbuseRow[]): void {
  leakCheck();
  const slots = new Slots(SLOTS);
  const reports: RowReport[] = [];
  let pool: SandboxPool;
  let canary: Canary;
  beforeAll(async () => {
    pool = openSandboxPool({ processesMax: SLOTS + 3, blankTarget: 2 });
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
        const sandboxMibMax =
          { ...RUN_LIMITS_DEFAULT, ...limits, ...row[3]?.limits }.memoryMib + SANDBOX_GROWTH_MIB_MAX;
        const keepsBounds = ({ deathMs, sandboxMib, workerMib }: RowReport): boolean =>
          (deathMs ?? 0) <= KILL_MS_MAX && sandboxMib < sandboxMibMax && workerMib < WORKER_GROWTH_MIB_MAX;
        const once = () => endure(pool, canary, `ten_slot_${slot}`, limits, row);
        let report = await once();
        for (let tries = 1; !keepsBounds(report) && tries < TRIES_MAX; tries += 1) report = await once();
        expect(report.workerMib, "the worker's growth in MiB").toBeLessThan(WORKER_GROWTH_MIB_MAX);
        expect(report.sandboxMib, "the sandbox's growth in MiB").toBeLessThan(sandboxMibMax);
        reports.push(report);
      } finally {
        slots.give(slot);
      }
    });
  });

  describe(`after them (${title})`, () => {
    it("every one that met a limit of time was dead in time", () => {
      expect(p99(deathsOf(reports)), "ms from limit to death, p99").toBeLessThanOrEqual(KILL_MS_MAX);
    });
    it("the other tenant got every answer, and each was right", () => {
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
  suiteLimits: Partial<RunLimits>,
  [name, code, ends, details = {}]: AbuseRow,
): Promise<RowReport> {
  const limits = { ...RUN_LIMITS_DEFAULT, ...suiteLimits, ...details.limits };
  const { network = false, argumentsJson = "{}" } = details;
  const cancel = new AbortController();
  const watching: { watch: ProcessWatch | null } = { watch: null };
  const listener = new (class extends Listener {
    override onStarted(): void {
      const bound = pool
        .stats()
        .processes.filter((each) => each.tenantId === tenantId && !areDead([each.pid]));
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
  const verdict = await pool.run(run, listener, cancel.signal);
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
    const after = await pool.run(toolRun({ code: "return 7", tenantId }), new Listener(), NEVER);
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
