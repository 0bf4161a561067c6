import type { Execution, ExecutionStore } from "@bulkhead/domain";
import { counterOf, type Meter } from "@bulkhead/telemetry";

/**
 * The store, with every end that is written through it counted by status and code. Each end is written by one process
 * once, so the sum over all processes counts each execution once.
 */
export function countEnds(executions: ExecutionStore, meter: Meter): ExecutionStore {
  const finished = counterOf(meter, "bulkhead_executions_finished_total");
  const lost = counterOf(meter, "bulkhead_executions_lost_total");
  // There from the start, so that the first one is seen to rise.
  lost.add(0);
  const labelsOf = endLabels();
  const count = (ended: Execution): void => {
    finished.add(1, labelsOf(ended));
    if (ended.status === "lost") lost.add(1);
  };
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

type EndLabels = Record<"status" | "code", string>;

/** The labels of an end, made once for each pair of status and code. */
function endLabels(): (ended: Pick<Execution, "status" | "error">) => EndLabels {
  const made = new Map<string, Map<string, EndLabels>>();
  return ({ status, error }) => {
    const code = error?.code ?? "none";
    let ofStatus = made.get(status);
    if (ofStatus === undefined) made.set(status, (ofStatus = new Map()));
    let labels = ofStatus.get(code);
    if (labels === undefined) ofStatus.set(code, (labels = { status, code }));
    return labels;
  };
}
