import { countTries, Courier, COURIER_BOUNDS, RETRY_PLAN, type Report } from "@bulkhead/executions";
import type { Clock, DeliveryStore, EgressBroker, ExecutionStore, Vault } from "@bulkhead/core";
import type { Meter, Tracing } from "@bulkhead/process/telemetry";
import { Repeating } from "./repeating.ts";

export interface DeliverDeps {
  executions: Pick<ExecutionStore, "find">;
  deliveries: DeliveryStore;
  egress: Pick<EgressBroker, "open">;
  vault: Pick<Vault, "open" | "derive">;
  tracing: Tracing;
  meter: Meter;
  clock: Clock;
  report: Report;
}

const DELIVER_EVERY_MS = 1_000;

/** Delivers the ends of executions to their callbacks: due ones every second, and after a kick at once. */
export function deliverOften({ meter, ...deps }: DeliverDeps) {
  const courier = new Courier({
    ...deps,
    deliveries: countTries(deps.deliveries, meter),
    plan: RETRY_PLAN,
    bounds: COURIER_BOUNDS,
    random: Math.random,
  });
  const step = () => courier.sweep();
  const repeating = new Repeating("looking for deliveries", DELIVER_EVERY_MS, step, deps.report);
  return {
    kick: () => courier.kick(),
    close: async () => {
      await repeating.close();
      await courier.close();
    },
  };
}
