import { countBy, counterOf, type Meter } from "@bulkhead/process/telemetry";

const METHODS = [
  "tools/list",
  "tools/call",
  "completion/complete",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "logging/setLevel",
] as const;
/** What came of one request: an answer, a tool's error as one, or the protocol's error. */
const OUTCOMES = ["ok", "tool_error", "error"] as const;

export type McpMethod = (typeof METHODS)[number];

export interface McpMetrics {
  request(method: McpMethod, outcome: (typeof OUTCOMES)[number]): void;
  session(what: "opened" | "closed" | "refused"): void;
}

/** Counts what comes through the door for agents. */
export function mcpMetrics(meter: Meter): McpMetrics {
  const requests = counterOf(meter, "bulkhead_mcp_requests_total");
  for (const method of METHODS) for (const outcome of OUTCOMES) requests.add(0, { method, outcome });
  return {
    request: (method, outcome) => requests.add(1, { method, outcome }),
    session: countBy(meter, "bulkhead_mcp_sessions_total"),
  };
}
