import type { MetricFact } from "./metric-fact.ts";

const OF_WORKER = { by: "worker", where: "apps/worker/src/metrics/mcp-servers.ts" } as const;

/** Metrics of others' MCP servers, each of which one worker holds. */
export const MCP_SERVER_METRICS = {
  bulkhead_mcp_bridge_servers: {
    ...OF_WORKER,
    type: "gauge",
    unit: "1",
    labels: { state: ["idle", "connecting", "connected", "waiting", "failed"] },
    meaning:
      "MCP servers of others that this worker holds, by state: unused, being connected to, connected, waiting for the next try, failed. An unused or failed one is given back at once, and then counts no more.",
  },
  bulkhead_mcp_bridge_failed_total: {
    ...OF_WORKER,
    type: "counter",
    unit: "1",
    labels: {},
    meaning:
      "Times that an MCP server was given up after ten tries in a row, until a person refreshes or enables it.",
  },
  bulkhead_mcp_bridge_reconnects_total: {
    ...OF_WORKER,
    type: "counter",
    unit: "1",
    labels: {},
    meaning: "Tries to connect to an MCP server again after a connection was lost or failed.",
  },
  bulkhead_mcp_bridge_calls_total: {
    ...OF_WORKER,
    type: "counter",
    unit: "1",
    labels: {
      outcome: [
        "answered",
        "unreachable",
        "connection_lost",
        "tool_changed",
        "timeout",
        "aborted",
        "too_large",
        "protocol_error",
      ],
    },
    meaning: "Calls of tools of MCP servers that this worker holds: answered, or why they were not.",
  },
} as const satisfies Record<string, MetricFact>;
