import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { METRICS } from "./metrics/metrics.ts";
import { renderMetrics } from "./render-metrics.ts";
import type { MetricFact } from "./metrics/metric-fact.ts";

const facts = Object.entries<MetricFact>(METRICS);

test("METRICS.md shows the table as it is", async () => {
  // Written anew by `npx vitest run --project unit libs/process -u`.
  await expect(renderMetrics()).toMatchFileSnapshot("../../METRICS.md");
});

test("a name tells the product, and the unit where there is one; counters alone end with _total", () => {
  for (const [name, { type, unit }] of facts) {
    expect(name).toMatch(/^bulkhead_[a-z_]+$/u);
    expect([name, name.endsWith("_total")]).toEqual([name, type === "counter"]);
    if (unit !== "1") expect(name.replace(/_total$/u, "")).toMatch(new RegExp(`_${unit}$`, "u"));
  }
});

test("each metric is counted in files that there are", () => {
  for (const [name, { where }] of facts) {
    const [file = ""] = where.split(/, | and /u);
    expect(readFileSync(new URL(`../../../../${file}`, import.meta.url), "utf8"), name).not.toBe("");
  }
});

test("histograms have buckets that rise, and nothing else has any", () => {
  for (const [name, { type, buckets }] of facts) {
    expect([name, buckets !== undefined]).toEqual([name, type === "histogram"]);
    expect([...(buckets ?? [])].toSorted((a, b) => a - b)).toEqual([...(buckets ?? [])]);
  }
});
