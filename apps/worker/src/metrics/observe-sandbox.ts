import {
  ENDING_LAYERS,
  type EndingLayer,
  type Sandbox,
  type SandboxHooks,
  type SandboxVerdict,
} from "@bulkhead/core";
import { counterOf, timeBy, type Meter } from "@bulkhead/process/telemetry";
import { HostClock } from "./host-clock.ts";

/** The sandbox, with every run counted by how it ended and which layer ended it, and its time by where it went. */
export function observeSandbox(sandbox: Pick<Sandbox, "run">, meter: Meter): Pick<Sandbox, "run"> {
  const countRun = runCounter(meter);
  const time = timeBy(meter, "bulkhead_execution_phase_seconds");
  return {
    async run(run, hooks, signal) {
      const host = new HostClock();
      const verdict = await sandbox.run(run, withClock(hooks, host), signal);
      // It is run again, and that run counts.
      if (verdict.unheard) return verdict;
      countRun(verdict);
      const { bindMs, wallMs, cpuMs } = verdict.usage;
      time("bind", bindMs);
      if (verdict.outcome === "unavailable") return verdict;
      time("run", wallMs);
      time("cpu", cpuMs);
      if (host.wasUsed) time("host_io", host.usedMs);
      return verdict;
    },
  };
}

const withClock = (hooks: SandboxHooks, host: HostClock): SandboxHooks => ({
  ...hooks,
  onEffect: (effect, signal) => host.during(hooks.onEffect(effect, signal)),
});

/** Both labels come from closed lists, so each pair's object is made once. */
function runCounter(meter: Meter): (verdict: SandboxVerdict) => void {
  const runs = counterOf(meter, "bulkhead_sandbox_runs_total");
  const labels = new Map<
    SandboxVerdict["outcome"],
    Record<EndingLayer, { outcome: string; ended_by: string }>
  >();
  const labelsOf = (outcome: SandboxVerdict["outcome"]) => {
    const pairs = ENDING_LAYERS.map((layer) => [layer, { outcome, ended_by: layer }] as const);
    return Object.fromEntries(pairs) as Record<EndingLayer, { outcome: string; ended_by: string }>;
  };
  return ({ outcome, endedBy }) => {
    let known = labels.get(outcome);
    if (known === undefined) labels.set(outcome, (known = labelsOf(outcome)));
    runs.add(1, known[endedBy]);
  };
}
