import type { ExecutionStore } from "@bulkhead/core";

/** The store, with a word to the courier after every end that is written through it. */
export function kickAfterEnds(executions: ExecutionStore, kick: () => void): ExecutionStore {
  return {
    ...executions,
    async finish(...end) {
      const ended = await executions.finish(...end);
      if (ended) kick();
      return ended;
    },
    async convict(attempt, ending, endEventId, convictionsMax) {
      const convicted = await executions.convict(attempt, ending, endEventId, convictionsMax);
      if (convicted) kick();
      return convicted;
    },
  };
}
