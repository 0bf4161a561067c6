import type { BridgeObserver, Servers } from "@bulkhead/mcp-bridge";
import { countBy, counterOf, gaugeOf, type Meter } from "@bulkhead/process/telemetry";

/** Counts calls of others' MCP servers by outcome, tries to connect again, and servers that are given up. */
export function observeServers(meter: Meter): BridgeObserver {
  const reconnects = counterOf(meter, "bulkhead_mcp_bridge_reconnects_total");
  reconnects.add(0);
  const failed = counterOf(meter, "bulkhead_mcp_bridge_failed_total");
  failed.add(0);
  return {
    onReconnect: () => reconnects.add(1),
    onFailed: () => failed.add(1),
    onCall: countBy(meter, "bulkhead_mcp_bridge_calls_total"),
  };
}

/** Measures how the servers stand that this worker holds. */
export function measureServers(servers: Pick<Servers, "states">, meter: Meter): void {
  gaugeOf(meter, "bulkhead_mcp_bridge_servers").addCallback((result) => {
    for (const [state, count] of Object.entries(servers.states())) result.observe(count, { state });
  });
}
