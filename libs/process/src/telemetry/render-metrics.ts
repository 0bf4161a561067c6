import type { MetricFact } from "./metrics/metric-fact.ts";
import { METRICS } from "./metrics/metrics.ts";

const INTRODUCTION = `# Metrics

Every metric that the API or a worker exports, on \`GET /metrics\` of its own port and, where \`OTEL_*\` asks for it, over OTLP.
Made of \`src/telemetry/metrics\`; a test fails where a process exports something else. No label holds a tenant (but the ids in
\`METRICS_TENANTS\`), a tool, an execution or a caller's words. Counters whose one label is
listed are there from the start, at 0, and so is \`bulkhead_executions_finished_total\` with every code.

Histograms are exported as \`…_bucket{le}\`, \`…_sum\` and \`…_count\`. The dispatcher's gauges are told by every worker alike:
take the largest, not the sum (\`sum(max by (shard) (…))\`), as the recording rules of deploy/prometheus do.

| to know | look at |
| --- | --- |
| whether callers get answers | \`bulkhead_sync_calls_total\`: \`platform_error\` is ours, \`tool_error\` the tenants' |
| whether there are workers enough | \`bulkhead_startable_wait_seconds\`, \`bulkhead_startable_executions\`, \`bulkhead_dispatcher_inflight\` over \`bulkhead_dispatcher_slots\` |
| why one tenant waits | \`bulkhead_dwell_seconds\` with its id in \`METRICS_TENANTS\`; \`bulkhead_execution_phase_seconds\` tells \`limit_wait\` (its turn, cap, rate) from \`dwell\` (a free worker) |
| where the time of a run goes | \`bulkhead_execution_phase_seconds\` by \`phase\` |
| who was refused what | \`bulkhead_refusals_total\` by \`code\` |
| whether something had to be put right | \`bulkhead_healed_total\`, \`bulkhead_executions_lost_total\` |
`;

/** METRICS.md. */
export function renderMetrics(): string {
  const rows = Object.entries<MetricFact>(METRICS).map(([name, fact]) =>
    [
      `\`${name}\``,
      `${fact.type}, ${fact.unit}`,
      labelsOf(fact),
      fact.meaning,
      `${fact.by === "both" ? "API, worker" : fact.by === "api" ? "API" : "worker"}: ${fact.where}`,
    ].join(" | "),
  );
  const head = ["name | type, unit | labels | meaning | where it is counted", "--- | --- | --- | --- | ---"];
  return `${INTRODUCTION}\n${[...head, ...rows].map((row) => `| ${row} |`).join("\n")}\n`;
}

const labelsOf = ({ labels }: MetricFact): string =>
  Object.entries(labels)
    .map(([key, values]) => `\`${key}\`: ${typeof values === "string" ? values : values.join(", ")}`)
    .join("; ") || "none";
