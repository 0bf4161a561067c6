import { openSandboxPool, type SandboxPool } from "@bulkhead/sandbox";
import { isNightly, leakCheck, SEED } from "@bulkhead/testing";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LAYERS } from "./support/abuse-row.ts";
import { Canary } from "./support/canary.ts";
import { hostTraceIn } from "./support/host-traces.ts";
import { mutatedProgram, randomProgram } from "./support/random-programs.ts";
import { SEEDS } from "./support/seeds.ts";
import { Listener, runHeard, toolRun } from "./support/tool-run.ts";

/** How many programs one run tries; `BULKHEAD_FUZZ_RUNS` makes it another number, `BULKHEAD_SEED` other programs. */
const RUNS = Number(process.env["BULKHEAD_FUZZ_RUNS"] ?? (isNightly ? 400 : 12));
const LIMITS = { cpuMs: 60, wallMs: 300, memoryMib: 24, resultBytes: 64 * 1024, logBytes: 16 * 1024 };
const TENANTS = 2;
/** Programs end their processes here at random: the pool gives new ones at any pace. */
const ANY_PACE = { burst: 10_000, perSecond: 10_000 };

leakCheck();
let pool: SandboxPool;
let canary: Canary;
beforeAll(async () => {
  pool = openSandboxPool({ processesMax: TENANTS + 3, blankTarget: 2, lossPace: ANY_PACE });
  canary = new Canary(pool);
  await canary.start();
});
afterAll(async () => {
  await canary.stop();
  await pool.close();
});

const program = fc.oneof(randomProgram, mutatedProgram(SEEDS));
const programs = fc.sample(program, { seed: SEED, numRuns: RUNS });
const ends = new Map<string, number>();

async function endure(code: string, tenantId: string): Promise<void> {
  const heard = new Listener();
  const verdict = await runHeard(pool, toolRun({ code, tenantId, network: true, limits: LIMITS }), heard);
  ends.set(verdict.outcome, (ends.get(verdict.outcome) ?? 0) + 1);
  const shown = `${JSON.stringify(verdict).slice(0, 2_000)}\n${code}`;
  expect(Object.keys(LAYERS), shown).toContain(verdict.outcome);
  expect(verdict.outcome, shown).not.toBe("unavailable");
  // Random programs find no fault of V8's: one that ends the process has found one of ours.
  expect(verdict.outcome, shown).not.toBe("crashed");
  expect(LAYERS[verdict.outcome], shown).toContain(verdict.endedBy);
  const saw = `${heard.said.join("\n")}\n${"json" in verdict ? verdict.json : verdict.message}`;
  expect(hostTraceIn(saw), shown).toBeNull();
  expect(canary.faults, shown).toEqual([]);
}

it(
  "no program ends in an unknown way, says a word of the host or does another tenant harm",
  { timeout: 60_000 + RUNS * 5_000 },
  async () => {
    const left = [...programs];
    const work = async (tenantId: string): Promise<void> => {
      for (let code = left.pop(); code !== undefined; code = left.pop()) await endure(code, tenantId);
    };
    await Promise.all(Array.from({ length: TENANTS }, (_, tenant) => work(`ten_${tenant}`)));
    const counts = [...ends].map(([outcome, count]) => `${outcome} ${count}`).join(", ");
    process.stdout.write(`fuzz from seed ${SEED}: ${RUNS} programs: ${counts}\n`);
  },
);
