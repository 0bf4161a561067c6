import type { Execution, ExecutionStore } from "@bulkhead/domain";
import type { Meter } from "@bulkhead/telemetry";

/**
 * The store, with every end that is written through it counted by status and code. Each end is written by one process
 * once, so the sum over all processes counts each execution once.
 */
export function countEnds(executions: ExecutionStore, meter: Meter): ExecutionStore {
  const finished = meter.createCounter("bulkhead_executions_finished_total", {
    description: "Executions that came to their end here, by final status and error code.",
  });
  const count = ({ status, error }: Execution): void =>
    finished.add(1, { status, code: error?.code ?? "none" });
  return {
    ...executions,
    async finish(attempt, ending, endEventId) {
      const ended = await executions.finish(attempt, ending, endEventId);
      if (ended) count(ended);
      return ended;
    },
    async convict(attempt, ending, endEventId, convictionsMax) {
      const convicted = await executions.convict(attempt, ending, endEventId, convictionsMax);
      if (convicted) count(convicted.ended);
      return convicted;
    },
    async endFromOutside(key, ending) {
      const ended = await executions.endFromOutside(key, ending);
      if (ended) count(ended);
      return ended;
    },
    async expireOverdue(limit) {
      const expired = await executions.expireOverdue(limit);
      expired.forEach(count);
      return expired;
    },
    async recoverExpiredLeases(limit) {
      const recovered = await executions.recoverExpiredLeases(limit);
      recovered.lost.forEach(count);
      return recovered;
    },
  };
}
