import type { ExecutionStore } from "@bulkhead/core";
import { timeBy, type Meter } from "@bulkhead/process/telemetry";

/** The store, with the time that writing the end of a run takes measured, the wait for company in one commit included. */
export function timeEnds(executions: ExecutionStore, meter: Meter): ExecutionStore {
  const time = timeBy(meter, "bulkhead_execution_phase_seconds");
  const persisting = async <Done>(written: Promise<Done>): Promise<Done> => {
    const since = performance.now();
    try {
      return await written;
    } finally {
      time("persist", performance.now() - since);
    }
  };
  return {
    ...executions,
    finish: (...end) => persisting(executions.finish(...end)),
    convict: (attempt, ending, endEventId, convictionsMax) =>
      persisting(executions.convict(attempt, ending, endEventId, convictionsMax)),
  };
}
