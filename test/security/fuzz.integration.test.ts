import { openSandboxPool, type SandboxPool } from "@bulkhead/sandbox-pool";
import { leakCheck } from "@bulkhead/testing";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LAYERS } from "./support/abuse-row.ts";
import { Canary } from "./support/canary.ts";
import { hostTraceIn } from "./support/host-traces.ts";
import { mutatedProgram, randomProgram } from "./support/random-programs.ts";
import { SEEDS } from "./support/seeds.ts";
import { Listener, NEVER, toolRun } from "./support/tool-run.ts";

/**
 * The same programs on each machine, as many of them as fit. `BULKHEAD_FUZZ_SECONDS` makes it as long and without end,
 * `BULKHEAD_FUZZ_SEED` other.
 */
const ASKED_SECONDS = process.env["BULKHEAD_FUZZ_SECONDS"];
const SECONDS = Math.min(3_600, Number(ASKED_SECONDS ?? 12));
const RUNS_MAX = ASKED_SECONDS === undefined ? 200 : Infinity;
const SEED = Number(process.env["BULKHEAD_FUZZ_SEED"] ?? 20_261_122);
const LIMITS = { cpuMs: 60, wallMs: 300, memoryMib: 24, resultBytes: 64 * 1024, logBytes: 16 * 1024 };
const TENANTS = 2;
const RUNS_MIN = 20;

leakCheck();
let pool: SandboxPool;
let canary: Canary;
beforeAll(async () => {
  pool = openSandboxPool({ processesMax: TENANTS + 3, blankTarget: 2 });
  canary = new Canary(pool);
  await canary.start();
});
afterAll(async () => {
  await canary.stop();
  await pool.close();
});

it(
  "no program ends in an unknown way, says a word of the host or does another tenant harm",
  { timeout: (SECONDS + 60) * 1_000 },
  async () => {
    const ends = new Map<string, number>();
    let runs = 0;
    const property = fc.asyncProperty(fc.oneof(randomProgram, mutatedProgram(SEEDS)), async (code) => {
      const heard = new Listener();
      const run = toolRun({ code, tenantId: `ten_${runs++ % TENANTS}`, network: true, limits: LIMITS });
      const verdict = await pool.run(run, heard, NEVER);
      ends.set(verdict.outcome, (ends.get(verdict.outcome) ?? 0) + 1);
      expect(Object.keys(LAYERS)).toContain(verdict.outcome);
      expect(verdict.outcome).not.toBe("unavailable");
      // Random programs find no fault of V8's: one that ends the process has found one of ours.
      expect(verdict.outcome, JSON.stringify(verdict)).not.toBe("crashed");
      expect(LAYERS[verdict.outcome], JSON.stringify(verdict)).toContain(verdict.endedBy);
      expect(
        hostTraceIn(`${heard.said.join("\n")}\n${"json" in verdict ? verdict.json : verdict.message}`),
      ).toBeNull();
      expect(canary.faults).toEqual([]);
    });
    const endsAt = performance.now() + SECONDS * 1_000;
    // A machine that is slow gets more time for the least number.
    const isOver = (): boolean => runs >= RUNS_MAX || (performance.now() >= endsAt && runs > RUNS_MIN);
    for (let seed = SEED; !isOver(); seed += 1) {
      const interruptAfterTimeLimit = Math.max(1_000, endsAt - performance.now());
      const round = await fc.check(property, {
        seed,
        numRuns: 100,
        interruptAfterTimeLimit,
        endOnFailure: true,
      });
      // Without a counterexample it was the time that ended the round, be it before its first program was done.
      if (round.failed && round.counterexample !== null) throw new Error(fc.defaultReportMessage(round));
    }
    const counts = [...ends].map(([outcome, count]) => `${outcome} ${count}`).join(", ");
    process.stdout.write(`fuzz from seed ${SEED}: ${runs} programs in at most ${SECONDS} s: ${counts}\n`);
    expect(runs).toBeGreaterThan(RUNS_MIN);
  },
);
