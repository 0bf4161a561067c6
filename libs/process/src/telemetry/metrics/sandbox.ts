import type { MetricFact } from "./metric-fact.ts";

const COUNTER = { type: "counter", unit: "1", by: "worker" } as const;
const GAUGES = {
  type: "gauge",
  unit: "1",
  by: "worker",
  where: "apps/worker/src/metrics/sandbox-gauges.ts",
} as const;

/** Metrics of sandboxes, and of requests that tools make. */
export const SANDBOX_METRICS = {
  bulkhead_sandbox_runs_total: {
    ...COUNTER,
    labels: {
      outcome: [
        "returned",
        "threw",
        "unavailable",
        "cpu",
        "wall",
        "memory",
        "result_too_large",
        "output_invalid",
        "crashed",
        "aborted",
      ],
      ended_by: ["guest", "isolate", "process", "worker", "system"],
    },
    meaning: "Runs of tools by outcome and by the layer that ended them.",
    where: "apps/worker/src/metrics/observe-sandbox.ts",
  },
  bulkhead_sandbox_processes: {
    ...GAUGES,
    labels: { state: ["starting", "blank", "idle", "running"] },
    meaning: "Sandbox processes by state: starting, blank (no tenant yet), idle, running.",
  },
  bulkhead_sandbox_waiting: {
    ...GAUGES,
    labels: {},
    meaning: "Runs that wait for a sandbox process.",
  },
  bulkhead_sandbox_layer: {
    ...GAUGES,
    labels: {
      layer: "a layer of the sandbox (`SANDBOX_LAYERS` of libs/core/src/execution/sandbox-layer.ts)",
    },
    meaning: "Layers of the sandbox: 1 where it is in force, 0 where it is not.",
  },
  bulkhead_sandbox_recycled_total: {
    ...COUNTER,
    labels: { reason: ["runs", "age", "grown", "idle", "room", "turn", "alone"] },
    meaning:
      "Sandbox processes that were replaced in good order: after so many runs, after so long, grown too large, idle, for another tenant's room or turn, or since a run was to be alone in it.",
    where: "libs/sandbox/src/pool/process-losses.ts",
  },
  bulkhead_sandbox_killed_total: {
    ...COUNTER,
    labels: { reason: ["cpu", "wall", "memory", "aborted", "crashed", "start"] },
    meaning:
      "Sandbox processes that were ended for what happened in them: a limit, a run that was stopped, a crash or a broken rule, or a start that failed.",
    where: "libs/sandbox/src/pool/process-losses.ts",
  },
  bulkhead_egress_requests_total: {
    ...COUNTER,
    labels: { outcome: ["answered", "refused", "failed", "timeout", "aborted"] },
    meaning:
      "Requests that tools and callbacks asked for, by what became of them; a redirect belongs to its request.",
    where: "apps/worker/src/metrics/count-egress.ts",
  },
  bulkhead_egress_refused_total: {
    ...COUNTER,
    labels: { reason: ["egress_denied", "network_limit", "invalid_request"] },
    meaning:
      "Requests that were not let out: a host, scheme or port that may not be reached, a host that may not know a secret, a run's limit, a request that is none.",
    where: "apps/worker/src/metrics/count-egress.ts",
  },
  bulkhead_scrubbed_total: {
    ...COUNTER,
    labels: { kind: ["value", "token", "named", "rule", "unsearched"] },
    meaning:
      "What was covered in what runs let out: registered values, tokens known by their look, what stands under a secret's name, matches of tenants' own rules, texts that a rule had no time to search.",
    where: "apps/worker/src/metrics/timed-scrubbers.ts",
  },
} as const satisfies Record<string, MetricFact>;
