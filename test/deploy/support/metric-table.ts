import { read } from "./files.ts";

export interface Metric {
  isHistogram: boolean;
  /** Label → what the table says of its values. */
  labels: Map<string, string>;
}

const ROW = /^\| `(bulkhead_\w+)` \| (\w+)[^|]*\| ([^|]*) \|/gm;

/** The table of metrics that telemetry keeps: one row for each, its name first. */
export function readMetricTable(): Map<string, Metric> {
  return new Map(
    [...read("libs/process/METRICS.md").matchAll(ROW)].map(([, name = "", type, labels = ""]) => [
      name,
      {
        isHistogram: type === "histogram",
        labels: new Map(
          labels.split("; ").flatMap((text) => {
            const [, label, values = ""] = /^`(\w+)`: (.*)$/.exec(text) ?? [];
            return label === undefined ? [] : [[label, values] as const];
          }),
        ),
      },
    ]),
  );
}

/** What others export: Prometheus itself, the collector's Redis receiver, and the layers that an operator accepts to miss. */
export const OF_OTHERS: ReadonlyMap<string, Metric> = new Map(
  ["up", "redis_memory_used_bytes", "redis_maxmemory_bytes", "bulkhead:sandbox_layer_accepted"].map(
    (name) => [name, { isHistogram: false, labels: new Map() }],
  ),
);
