import type { Execution, ExecutionStore } from "@bulkhead/core";

/** The store, with every end that is written through it shown: each is written by one process, once. */
export function afterEnds(executions: ExecutionStore, seen: (ended: Execution) => void): ExecutionStore {
  return {
    ...executions,
    async finish(...end) {
      const ended = await executions.finish(...end);
      if (ended) seen(ended);
      return ended;
    },
    async convict(attempt, ending, endEventId, convictionsMax) {
      const convicted = await executions.convict(attempt, ending, endEventId, convictionsMax);
      if (convicted) seen(convicted.ended);
      return convicted;
    },
    async endFromOutside(key, ending) {
      const ended = await executions.endFromOutside(key, ending);
      if (ended) seen(ended);
      return ended;
    },
    async expireOverdue(limit) {
      const expired = await executions.expireOverdue(limit);
      expired.forEach((one) => seen(one));
      return expired;
    },
    async recoverExpiredLeases(limit) {
      const recovered = await executions.recoverExpiredLeases(limit);
      recovered.lost.forEach((one) => seen(one));
      return recovered;
    },
    async recoverAttemptsOf(workerIds, limit) {
      const recovered = await executions.recoverAttemptsOf(workerIds, limit);
      recovered.lost.forEach((one) => seen(one));
      return recovered;
    },
  };
}
