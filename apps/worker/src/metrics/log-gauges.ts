import type { LogStore } from "@bulkhead/core";
import { gaugeOf, type Meter } from "@bulkhead/process/telemetry";

/** How far the keeping of logs is behind. Every worker tells the same figure: take the largest, not the sum. */
export function measureLogs(logs: Pick<LogStore, "oldestDueMs">, meter: Meter): void {
  gaugeOf(meter, "bulkhead_logs_due_age_seconds").addCallback(async (result) =>
    result.observe((await logs.oldestDueMs()) / 1_000),
  );
}
