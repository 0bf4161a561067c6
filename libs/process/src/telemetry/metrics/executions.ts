import { STEP_BUCKETS, WAIT_BUCKETS, type MetricFact } from "./metric-fact.ts";

const OBSERVED = "apps/worker/src/metrics/observe-sandbox.ts";
const SHARD = { shard: "0 to DISPATCH_SHARDS − 1" } as const;
const DISPATCHER = { type: "gauge", unit: "1", labels: SHARD, by: "worker" } as const;
const GAUGES = { where: "apps/worker/src/metrics/backlog-gauges.ts" } as const;

export const EXECUTION_METRICS = {
  bulkhead_executions_finished_total: {
    type: "counter",
    unit: "1",
    labels: {
      status: ["succeeded", "failed", "timed_out", "cancelled", "denied", "lost"],
      code: "`none`, or an outcome code (`OUTCOME_CODES` of libs/core/src/execution/outcome.ts)",
    },
    meaning: "Executions that came to their end here, by final status and error code.",
    by: "both",
    where: "libs/executions/src/attempt/count-ends.ts",
  },
  bulkhead_executions_lost_total: {
    type: "counter",
    unit: "1",
    labels: {},
    meaning: "Executions that ended as lost, with their worker; in a healthy system none.",
    by: "both",
    where: "libs/executions/src/attempt/count-ends.ts",
  },
  bulkhead_execution_phase_seconds: {
    type: "histogram",
    unit: "seconds",
    labels: { phase: ["limit_wait", "dwell", "bind", "run", "cpu", "host_io", "scrub", "persist"] },
    meaning:
      "Where the time of executions goes: from being queued until handed out (the tenant's turn, caps and rate), ready for a worker, bound to a sandbox process, run; of the run, processor time and waiting for effects (fetch, tools it calls); scrubbing what leaves, writing the end.",
    by: "worker",
    where: `${OBSERVED}, waits.ts, timed-scrubbers.ts and time-ends.ts beside it`,
    buckets: STEP_BUCKETS,
  },
  bulkhead_dwell_seconds: {
    type: "histogram",
    unit: "seconds",
    labels: { tenant: "the ids in METRICS_TENANTS (50 at most), `other` for all the rest" },
    meaning:
      "From being queued for an attempt until a worker has it, whatever it waited for: a tenant's own full cap and its rate too. For a look at a tenant, not for alerts.",
    by: "worker",
    where: "apps/worker/src/metrics/waits.ts",
    buckets: WAIT_BUCKETS,
  },
  bulkhead_startable_wait_seconds: {
    type: "histogram",
    unit: "seconds",
    labels: {},
    meaning:
      "From when its tenant's cap and rate allowed a start until a worker has it: the wait that more workers shorten, and what alerts and KEDA look at. The dispatcher watches one start of a tenant at a time, the last of those it may make, so a tenant with a long backlog counts for little.",
    by: "worker",
    where: "apps/worker/src/metrics/waits.ts",
    buckets: WAIT_BUCKETS,
  },
  bulkhead_startable_executions: {
    ...DISPATCHER,
    ...GAUGES,
    meaning:
      "Executions that more workers could start at once: ready, and waiting with tenants below their caps.",
  },
  bulkhead_dispatcher_slots: {
    ...DISPATCHER,
    ...GAUGES,
    meaning:
      "Executions that all live workers may run at once: the concurrency that there is. Each shard is offered all of it: the largest of them, not their sum.",
  },
  bulkhead_dispatcher_inflight: {
    ...DISPATCHER,
    ...GAUGES,
    meaning: "Executions that hold a slot, handed out or running: the concurrency in use.",
  },
  bulkhead_dispatcher_ready: {
    ...DISPATCHER,
    ...GAUGES,
    meaning: "Executions that are handed out and that no worker has taken.",
  },
  bulkhead_dispatcher_backlog: {
    ...DISPATCHER,
    ...GAUGES,
    meaning: "Executions that wait for their tenant's turn.",
  },
  bulkhead_dispatcher_throttled: {
    ...DISPATCHER,
    ...GAUGES,
    meaning: "Tenants with a backlog that wait for their rate.",
  },
  bulkhead_dispatcher_delayed: {
    ...DISPATCHER,
    ...GAUGES,
    meaning: "Executions that were put off or wait for another try.",
  },
  bulkhead_healed_total: {
    type: "counter",
    unit: "1",
    labels: { what: ["expired", "requeued", "lost", "queuedAgain", "slotsFreed"] },
    meaning: "What sweeps put right; in a healthy system nothing but `expired`.",
    by: "worker",
    where: "apps/worker/src/sweeper.ts",
  },
  bulkhead_events_dropped_total: {
    type: "counter",
    unit: "1",
    labels: { by: ["sender", "follower"] },
    meaning:
      "Starts and ends of executions that readers of a tenant's events are told as `execution.dropped`: by the process that had too many to send, or by one reader that took them too slowly. What is lost with a connection to Redis is not known.",
    by: "both",
    where: "libs/platform/src/open-platform.ts",
  },
  bulkhead_logs_due_age_seconds: {
    type: "gauge",
    unit: "seconds",
    labels: {},
    meaning:
      "Since the end of the execution whose log has waited for longest to be kept; 0 where none waits. What is not kept within a stream's life is lost. Every worker tells the same.",
    by: "worker",
    where: "apps/worker/src/metrics/backlog-gauges.ts",
  },
  bulkhead_delivery_tries_total: {
    type: "counter",
    unit: "1",
    labels: { next: ["delivered", "failed", "retry"] },
    meaning: "Tries to tell the end of an execution to its callback, by what followed.",
    by: "worker",
    where: "libs/executions/src/callbacks/count-tries.ts",
  },
  bulkhead_device_commands_total: {
    type: "counter",
    unit: "1",
    labels: {
      outcome: [
        "succeeded",
        "failed",
        "timeout",
        "aborted",
        "offline",
        "lost",
        "busy",
        "too_large",
        "unavailable",
      ],
    },
    meaning:
      "Commands that were to be invoked on paired devices, by how that ended: the device's own `failed`, or why it has no answer; `lost`: nobody knows whether it was done; `unavailable`: nobody could be asked.",
    by: "worker",
    where: "apps/worker/src/open-devices.ts",
  },
} as const satisfies Record<string, MetricFact>;
