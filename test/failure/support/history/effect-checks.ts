import { repeated, type Check } from "./check.ts";
import { isEnd } from "./history.ts";

/** About what tools did outside. */
export const EFFECT_CHECKS: readonly Check[] = [
  {
    name: "no effect happens twice unless the tool is idempotent",
    faults: ({ effects, rows }) => {
      const repeatable = new Set(rows.filter(({ idempotent }) => idempotent).map(({ id }) => id));
      return repeated(
        effects
          .filter(({ executionId }) => !repeatable.has(executionId))
          .map(({ executionId, step }) => `${executionId} step ${step}`),
      );
    },
  },
  {
    name: "a cancel that was answered holds",
    faults: ({ cancels, rows }) => {
      const status = new Map(rows.map((row) => [row.id, row.status]));
      return cancels
        .filter(
          ({ executionId, call }) => call.outcome?.is === "ok" && status.get(executionId) !== "cancelled",
        )
        .map(({ executionId }) => `${executionId} is ${status.get(executionId)}`);
    },
  },
  {
    name: "no effect comes after the end was told",
    faults: ({ effects, sightings, bounds }) => {
      const endSeen = new Map<string, number>();
      for (const { executionId, status, seenAt } of sightings) {
        if (isEnd(status)) endSeen.set(executionId, Math.min(seenAt, endSeen.get(executionId) ?? Infinity));
      }
      return effects.flatMap(({ executionId, step, at }) => {
        const late = at - (endSeen.get(executionId) ?? Infinity);
        return late > bounds.effectMsMax
          ? [`${executionId} step ${step} came ${Math.round(late)} ms later`]
          : [];
      });
    },
  },
];
