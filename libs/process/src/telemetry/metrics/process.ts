import type { MetricFact } from "./metric-fact.ts";

const WHERE = "libs/process/src/telemetry/process-metrics.ts";
const TABLE = "libs/process/src/telemetry";

/** Metrics of every process. */
export const PROCESS_METRICS = {
  bulkhead_build_info: {
    type: "gauge",
    unit: "1",
    labels: {
      service: ["api", "worker"],
      version: "Bulkhead's",
      node: "Node's version",
      v8: "V8's version",
    },
    meaning: "What runs here; always 1.",
    by: "both",
    where: WHERE,
  },
  bulkhead_process_start_time_seconds: {
    type: "gauge",
    unit: "seconds",
    labels: {},
    meaning: "When the process started, in seconds since 1970.",
    by: "both",
    where: WHERE,
  },
  bulkhead_process_resident_memory_bytes: {
    type: "gauge",
    unit: "bytes",
    labels: {},
    meaning: "Memory of the process that is in RAM.",
    by: "both",
    where: WHERE,
  },
  bulkhead_process_cpu_seconds_total: {
    type: "counter",
    unit: "seconds",
    labels: {},
    meaning: "Processor time of the process, user and system together.",
    by: "both",
    where: WHERE,
  },
  bulkhead_event_loop_delay_seconds: {
    type: "gauge",
    unit: "seconds",
    labels: { stat: ["p50", "p99", "max"] },
    meaning:
      "How late the event loop was in the last 30 to 60 s, whoever reads it: the median, the 99th percentile, the worst.",
    by: "both",
    where: WHERE,
  },
  bulkhead_database_pool_connections: {
    type: "gauge",
    unit: "1",
    labels: { state: ["used", "idle", "waiting"] },
    meaning:
      "Connections of this process to PostgreSQL, both pools together: used and idle ones; waiting are callers for whom none is free.",
    by: "both",
    where: `${TABLE}/pool-gauges.ts`,
  },
} as const satisfies Record<string, MetricFact>;
