import type { MetricFact } from "./metrics/metric-fact.ts";
import { METRICS } from "./metrics/metrics.ts";

const INTRODUCTION = `# Metrics

Every metric that the API or a worker exports, on \`GET /metrics\` of its own port and, where \`OTEL_*\` asks for it, over OTLP.
Made of \`src/metrics\`; a test fails where a process exports something else. No label holds a tenant (but the ids in
\`METRICS_TENANTS\`), a tool, an execution or a caller's words. Counters with listed labels are there from the start, at 0.

Histograms are exported as \`…_bucket{le}\`, \`…_sum\` and \`…_count\`. The dispatcher's gauges are told by every worker alike:
take the largest, not the sum.
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
