import type { System } from "@bulkhead/contracts";
import type { WorkerFacts } from "@bulkhead/core";

export const presentWorker = (facts: WorkerFacts): System["workers"][number] => {
  const { workerId: id, startedAt, sandboxLayers, engines, ...rest } = facts;
  return {
    id,
    startedAt: startedAt.toISOString(),
    ...rest,
    sandboxLayers: [...sandboxLayers],
    engines: [...engines],
  };
};

/** Each layer that any worker knows: in how many it is in force. One that doesn't know it doesn't have it. */
export function summarizeLayers(workers: readonly WorkerFacts[]): System["sandboxLayers"] {
  const having = new Map<string, number>();
  for (const { layer, inForce } of workers.flatMap(({ sandboxLayers }) => sandboxLayers)) {
    having.set(layer, (having.get(layer) ?? 0) + (inForce ? 1 : 0));
  }
  return [...having].map(([layer, count]) => ({ layer, inForce: count === workers.length, workers: count }));
}
