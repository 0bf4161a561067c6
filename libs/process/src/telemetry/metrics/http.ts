import { STEP_BUCKETS, WAIT_BUCKETS, type MetricFact } from "./metric-fact.ts";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "other"] as const;
const ROUTE = "the route's template, as in `/api/v1/executions/:id`; `unmatched` where there is none";
const HTTP = { by: "api", where: "apps/api/src/edge/http-metrics.ts" } as const;
const STREAMS = { by: "api", where: "apps/api/src/edge/stream-metrics.ts" } as const;

/** Metrics of requests to the API. */
export const HTTP_METRICS = {
  bulkhead_http_requests_total: {
    ...HTTP,
    type: "counter",
    unit: "1",
    labels: { method: METHODS, route: ROUTE, status: ["2xx", "3xx", "4xx", "5xx", "gone"] },
    meaning: "Requests by the class of their answer; `gone`: the caller left before there was one.",
  },
  bulkhead_http_request_duration_seconds: {
    ...HTTP,
    type: "histogram",
    unit: "seconds",
    labels: { method: METHODS, route: ROUTE },
    meaning: "From a request's head to the end of its answer; event streams are left out.",
    buckets: WAIT_BUCKETS,
  },
  bulkhead_refusals_total: {
    ...HTTP,
    type: "counter",
    unit: "1",
    labels: { code: "a fault code (`FAULTS` of libs/core/src/fault/catalogue.ts)" },
    meaning:
      "Requests that were answered with a problem, and calls of a batch that were, by its code: rate limits, full backlogs, bad input, failures.",
  },
  bulkhead_sync_calls_total: {
    type: "counter",
    unit: "1",
    labels: { outcome: ["ok", "tool_error", "platform_error"] },
    meaning:
      "Calls whose caller waited for the result: it came; the tool or its caller ended it; the platform failed (a 5xx, a lost run, a sandbox that was ended from outside or could not be had). A sandbox that died of itself is the second, since a tool can make its own die at will; bulkhead_sandbox_runs_total counts those. A deadline is the second even if nothing ran before it, since a full cap of the tenant looks the same; bulkhead_startable_wait_seconds tells the platform's waits. Refusals (4xx) are not among them.",
    by: "api",
    where: "apps/api/src/edge/call-metrics.ts",
  },
  bulkhead_tool_load_seconds: {
    ...HTTP,
    type: "histogram",
    unit: "seconds",
    labels: {},
    meaning:
      "What `bulkhead dev` says it took to read and bundle a tool at the developer's side, told with the import that sends it; anybody who may write tools can say anything.",
    buckets: STEP_BUCKETS,
  },
  bulkhead_streams_open: {
    ...STREAMS,
    type: "gauge",
    unit: "1",
    labels: {},
    meaning: "Event streams that are open.",
  },
  bulkhead_devices_connected: {
    ...STREAMS,
    type: "gauge",
    unit: "1",
    labels: {},
    meaning: "Paired devices whose web socket this process holds.",
  },
  bulkhead_stream_lag_seconds: {
    ...STREAMS,
    type: "histogram",
    unit: "seconds",
    labels: {},
    meaning:
      "From an event until it is written to a stream that was open when it happened; between machines their clocks' difference is in it.",
    buckets: WAIT_BUCKETS,
  },
  bulkhead_mcp_requests_total: {
    type: "counter",
    unit: "1",
    labels: {
      method: [
        "tools/list",
        "tools/call",
        "completion/complete",
        "resources/list",
        "resources/templates/list",
        "resources/read",
        "logging/setLevel",
      ],
      outcome: ["ok", "tool_error", "error"],
    },
    meaning:
      "Requests of MCP that reached a handler: answered, answered with what a tool or its caller did wrong, or with an error of the protocol. Requests that were refused before are among bulkhead_refusals_total.",
    by: "api",
    where: "apps/api/src/edge/mcp-metrics.ts",
  },
  bulkhead_mcp_sessions_total: {
    type: "counter",
    unit: "1",
    labels: { what: ["opened", "closed", "refused"] },
    meaning:
      "Sessions of MCP that clients opened and closed here, and those that their tenant or their key had no room for. One of which nothing is heard ends by itself, and is not counted as closed.",
    by: "api",
    where: "apps/api/src/edge/mcp-metrics.ts",
  },
  bulkhead_assist_drafts_total: {
    type: "counter",
    unit: "1",
    labels: { outcome: ["drafted", "gave_up", "failed", "timeout"] },
    meaning:
      "Tools that the model was asked to draft: one passed and waits for a person; none passed; the model's server or the platform failed; none came in time.",
    by: "api",
    where: "apps/api/src/open-model.ts",
  },
} as const satisfies Record<string, MetricFact>;
