import type { Meter } from "@opentelemetry/api";
import { gaugeOf, LabelValues } from "./instruments.ts";

/** A database's connections at a moment; `waiting` are callers for whom none is free. */
export interface PoolConnections {
  used: number;
  idle: number;
  waiting: number;
}

const STATES = ["used", "idle", "waiting"] as const;

/** Measures what a process holds of its database. */
export function measurePool(connections: () => PoolConnections, meter: Meter): void {
  const labels = new LabelValues("state", STATES);
  gaugeOf(meter, "bulkhead_database_pool_connections").addCallback((result) => {
    const counts = connections();
    for (const state of STATES) result.observe(counts[state], labels.of(state));
  });
}
