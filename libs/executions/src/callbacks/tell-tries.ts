import type { Clock, DeliveryOutcome, DeliveryStatus, DeliveryStore, LiveRunNews } from "@bulkhead/core";

const STATUS: Readonly<Record<DeliveryOutcome["verdict"]["next"], DeliveryStatus>> = {
  delivered: "delivered",
  failed: "failed",
  retry: "pending",
};

/** The store, with every try that is put on record through it told to who follows the tenant at that moment. */
export const tellTries = (
  deliveries: DeliveryStore,
  runs: Pick<LiveRunNews, "tell">,
  clock: Clock,
): DeliveryStore => ({
  ...deliveries,
  async record(claimed, outcome) {
    const recorded = await deliveries.record(claimed, outcome);
    const { tenantId, executionId, n: delivery } = claimed;
    if (recorded)
      runs.tell(tenantId, () => {
        const data = { executionId, delivery, status: STATUS[outcome.verdict.next] };
        return { type: "delivery.tried", at: clock().toISOString(), data };
      });
    return recorded;
  },
});
