import type { EndingLayer, Sandbox, SandboxOutcome } from "@bulkhead/domain";
import type { Meter } from "@bulkhead/telemetry";

/** The sandbox, with every run counted by how it ended and which layer ended it. */
export function observeSandbox(sandbox: Pick<Sandbox, "run">, meter: Meter): Pick<Sandbox, "run"> {
  const runs = meter.createCounter("bulkhead_sandbox_runs_total", {
    description: "Runs of tools by outcome and by the layer that ended them.",
  });
  return {
    async run(run, hooks, signal) {
      const verdict = await sandbox.run(run, hooks, signal);
      const labels: { outcome: SandboxOutcome["outcome"]; ended_by: EndingLayer } = {
        outcome: verdict.outcome,
        ended_by: verdict.endedBy,
      };
      runs.add(1, labels);
      return verdict;
    },
  };
}
