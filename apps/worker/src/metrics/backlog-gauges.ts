import type { ExecutionQueue, LogStore, ShardMeasure } from "@bulkhead/core";
import { gaugeOf, type Meter } from "@bulkhead/process/telemetry";

type Measured = keyof Omit<ShardMeasure, "shard">;

const NAMES = {
  startable: "bulkhead_startable_executions",
  slots: "bulkhead_dispatcher_slots",
  inflight: "bulkhead_dispatcher_inflight",
  ready: "bulkhead_dispatcher_ready",
  backlog: "bulkhead_dispatcher_backlog",
  throttledTenants: "bulkhead_dispatcher_throttled",
  delayed: "bulkhead_dispatcher_delayed",
} as const satisfies Record<Measured, string>;

/** The dispatcher's counts, by shard. Every worker reports the same figures: take the largest, not the sum. */
export function measureDispatcher(queue: Pick<ExecutionQueue, "measure">, meter: Meter): void {
  const gauges = (Object.keys(NAMES) as Measured[]).map((measured) => {
    return { measured, gauge: gaugeOf(meter, NAMES[measured]) };
  });
  meter.addBatchObservableCallback(
    async (result) => {
      for (const shard of await queue.measure()) {
        for (const { measured, gauge } of gauges)
          result.observe(gauge, shard[measured], { shard: shard.shard });
      }
    },
    gauges.map(({ gauge }) => gauge),
  );
}

/** How far the keeping of logs is behind. Every worker tells the same figure: take the largest, not the sum. */
export function measureLogs(logs: Pick<LogStore, "oldestDueMs">, meter: Meter): void {
  gaugeOf(meter, "bulkhead_logs_due_age_seconds").addCallback(async (result) =>
    result.observe((await logs.oldestDueMs()) / 1_000),
  );
}
