import type { ExecutionStore } from "@bulkhead/core";

/** The store, with a word to the courier after every end that is written through it. */
export function deliverAfterEnd(executions: ExecutionStore, deliver: () => void): ExecutionStore {
  return {
    ...executions,
    async finish(...end) {
      const ended = await executions.finish(...end);
      if (ended) deliver();
      return ended;
    },
    async convict(attempt, ending, endEventId, convictionsMax) {
      const convicted = await executions.convict(attempt, ending, endEventId, convictionsMax);
      if (convicted) deliver();
      return convicted;
    },
  };
}
