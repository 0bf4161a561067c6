import { PLATFORM_ERROR } from "@bulkhead/process/telemetry";
import { expect, test } from "vitest";
import { readCompose } from "./support/compose.ts";
import { read, readYaml } from "./support/files.ts";
import { SECRETS } from "./support/settings.ts";

interface Pipeline {
  receivers: string[];
  processors: string[];
  exporters: string[];
}
interface Collector {
  receivers: Record<string, object>;
  processors: Record<string, object>;
  exporters: Record<string, object>;
  extensions: Record<string, object>;
  service: { extensions: string[]; pipelines: Record<string, Pipeline> };
}

const FILE = "deploy/collector/collector.yaml";
const collector = readYaml(FILE) as Collector;
const { service } = collector;
const mounted = readCompose(SECRETS).services["collector"];

const both = (first: object, name: string, spansPerSecond: number) => ({
  type: "and",
  // In this order: the rate counts only what the condition let through.
  and: {
    and_sub_policy: [
      first,
      { name, type: "rate_limiting", rate_limiting: { spans_per_second: spansPerSecond } },
    ],
  },
});
const failed = { name: "failed", type: "status_code", status_code: { status_codes: ["ERROR"] } };
const tookLong = { name: "took_long", type: "latency", latency: { threshold_ms: 2_000 } };

test("traces with a platform error are all kept, failed and slow ones by a rate, and a share of the others", () => {
  expect(collector.processors["tail_sampling"]).toEqual({
    decision_wait: "30s",
    num_traces: 50_000,
    expected_new_traces_per_sec: 1_000,
    policies: [
      {
        name: "platform_errors",
        type: "boolean_attribute",
        boolean_attribute: { key: Object.keys(PLATFORM_ERROR)[0], value: true },
      },
      { name: "tool_errors", ...both(failed, "failed_rate", 200) },
      { name: "slow", ...both(tookLong, "took_long_rate", 500) },
      {
        name: "share",
        type: "probabilistic",
        // Whole, and text: the collector fills it in and reads a number out of it.
        probabilistic: { sampling_percentage: "${env:TRACES_PERCENT}" },
      },
    ],
  });
});

test("memory is bounded before anything else, and what goes out goes in batches", () => {
  expect(collector.processors["memory_limiter"]).toEqual({
    check_interval: "1s",
    limit_percentage: 75,
    spike_limit_percentage: 20,
  });
  for (const { processors } of Object.values(service.pipelines)) {
    expect(processors[0]).toBe("memory_limiter");
    expect(processors.at(-1)).toBe("batch");
  }
});

test("spans go to Tempo, Redis's figures to Prometheus, and nothing else comes in", () => {
  expect(service.pipelines).toEqual({
    traces: {
      receivers: ["otlp"],
      processors: ["memory_limiter", "tail_sampling", "batch"],
      exporters: ["otlp/tempo"],
    },
    metrics: { receivers: ["redis"], processors: ["memory_limiter", "batch"], exporters: ["prometheus"] },
  });
});

test("what the pipelines name is there, and nothing is there that none names", () => {
  const pipelines = Object.values(service.pipelines);
  for (const kind of ["receivers", "processors", "exporters"] as const) {
    const named = new Set(pipelines.flatMap((pipeline) => pipeline[kind]));
    expect(Object.keys(collector[kind]).toSorted()).toEqual([...named].toSorted());
  }
  expect(Object.keys(collector.extensions)).toEqual(service.extensions);
});

test("Compose gives it every variable that it asks for, and no other", () => {
  const asked = [...read(FILE).matchAll(/\$\{env:([A-Z_]+)\}/g)].map(([, name = ""]) => name);
  expect(Object.keys(mounted?.environment ?? {}).toSorted()).toEqual(asked.toSorted());
  expect(mounted?.environment?.["TRACES_PERCENT"]).toBe("5");
});
