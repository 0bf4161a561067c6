import type { SandboxLayerReport, SandboxProcessCounts } from "@bulkhead/core";
import type { ProcessLosses } from "@bulkhead/sandbox";
import { gaugeOf, observedCounterOf, type Meter } from "@bulkhead/process/telemetry";

/** The parts of a pool that operators see. */
export interface ShownPool {
  stats(): SandboxProcessCounts & { waiting: number; nodeSnapshot: boolean; losses: ProcessLosses };
  layers(): Promise<readonly SandboxLayerReport[]>;
}

/** Measures a pool: its processes and why they ended, the runs that wait for one, and the layers around them. */
export function measureSandbox(pool: ShownPool, meter: Meter): void {
  gaugeOf(meter, "bulkhead_sandbox_processes").addCallback((result) => {
    const counts = processCounts(pool);
    for (const [state, count] of Object.entries(counts)) result.observe(count, { state });
  });
  gaugeOf(meter, "bulkhead_sandbox_waiting").addCallback((result) => result.observe(pool.stats().waiting));
  gaugeOf(meter, "bulkhead_sandbox_layer").addCallback(async (result) => {
    for (const { layer, inForce } of await pool.layers()) result.observe(inForce ? 1 : 0, { layer });
  });
  for (const how of ["recycled", "killed"] as const) {
    observedCounterOf(meter, `bulkhead_sandbox_${how}_total`).addCallback((result) => {
      for (const [reason, count] of Object.entries(pool.stats().losses[how]))
        result.observe(count, { reason });
    });
  }
}

/** The pool's processes by state, and nothing else of its stats: those name tenants. */
export function processCounts(pool: Pick<ShownPool, "stats">): SandboxProcessCounts {
  const { starting, blank, idle, running } = pool.stats();
  return { starting, blank, idle, running };
}
