import type { DeliveryStore } from "@bulkhead/core";
import { countBy, type Meter } from "@bulkhead/process/telemetry";

/** The store, with every try that is put on record through it counted by what follows. */
export function countTries(deliveries: DeliveryStore, meter: Meter): DeliveryStore {
  const tries = countBy(meter, "bulkhead_delivery_tries_total");
  return {
    ...deliveries,
    async record(claimed, outcome) {
      const recorded = await deliveries.record(claimed, outcome);
      if (recorded) tries(outcome.verdict.next);
      return recorded;
    },
  };
}
