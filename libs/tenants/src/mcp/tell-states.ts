import type { McpServerStore, TenantEvents } from "@bulkhead/core";

/** The store, and word to the tenant's followers of each state of a server that is noted through it. */
export const tellStates = (
  servers: McpServerStore,
  tenantEvents: Pick<TenantEvents, "publish">,
): McpServerStore => ({
  ...servers,
  async setState(server, noted) {
    await servers.setState(server, noted);
    const { state, stateReason: reason } = noted;
    const data = { name: server.name, state, reason: reason ?? undefined };
    await tenantEvents.publish(server.tenantId, { type: "mcp_server.state_changed", data, agentId: null });
  },
});
