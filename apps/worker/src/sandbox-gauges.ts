import type { SandboxLayerReport, SandboxProcessCounts } from "@bulkhead/domain";
import type { Meter } from "@bulkhead/telemetry";

/** What of a pool is shown to operators. */
export interface ShownPool {
  stats(): SandboxProcessCounts & { waiting: number };
  layers(): Promise<readonly SandboxLayerReport[]>;
}

/** Measures a pool: its processes, who waits for one, and the layers that hold them. */
export function measureSandbox(pool: ShownPool, meter: Meter): void {
  meter
    .createObservableGauge("bulkhead_sandbox_processes", {
      description: "Sandbox processes by state: starting, blank (no tenant yet), idle, running.",
    })
    .addCallback((result) => {
      const counts = processCounts(pool);
      for (const [state, count] of Object.entries(counts)) result.observe(count, { state });
    });
  meter
    .createObservableGauge("bulkhead_sandbox_waiting", {
      description: "Runs that wait for a sandbox process.",
    })
    .addCallback((result) => result.observe(pool.stats().waiting));
  meter
    .createObservableGauge("bulkhead_sandbox_layer", {
      description: "Layers of the sandbox: 1 where it is in force, 0 where it is not.",
    })
    .addCallback(async (result) => {
      for (const { layer, inForce } of await pool.layers()) result.observe(inForce ? 1 : 0, { layer });
    });
}

/** The pool's processes by state, and nothing else of its stats: those name tenants. */
export function processCounts(pool: Pick<ShownPool, "stats">): SandboxProcessCounts {
  const { starting, blank, idle, running } = pool.stats();
  return { starting, blank, idle, running };
}
