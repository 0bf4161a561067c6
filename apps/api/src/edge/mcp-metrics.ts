import { countBy, counterOf, type Meter } from "@bulkhead/process/telemetry";

/** What came of one request: an answer, a tool's error as one, or the protocol's error. */
export type McpOutcome = "ok" | "tool_error" | "error";

export interface McpMetrics {
  request(method: string, outcome: McpOutcome): void;
  session(what: "opened" | "closed" | "refused"): void;
}

/** Counts what comes through the door for agents. `method` is one that the endpoint serves. */
export function mcpMetrics(meter: Meter): McpMetrics {
  const requests = counterOf(meter, "bulkhead_mcp_requests_total");
  return {
    request: (method, outcome) => requests.add(1, { method, outcome }),
    session: countBy(meter, "bulkhead_mcp_sessions_total"),
  };
}
