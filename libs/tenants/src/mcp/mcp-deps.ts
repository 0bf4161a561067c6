import type {
  AuditLog,
  Clock,
  EgressPolicy,
  McpAccessStore,
  McpBridge,
  McpServerStore,
  McpServerTools,
  McpTools,
  Scrubbers,
  SignalBus,
  TenantEvents,
  TenantStore,
} from "@bulkhead/core";

export interface McpServerDeps {
  mcpServers: McpServerStore;
  mcpTools: Pick<McpTools, "ofServer">;
  bridge: Pick<McpBridge, "refresh" | "drop" | "isHeld">;
  tenants: Pick<TenantStore, "find">;
  egressPolicy: EgressPolicy;
  scrubbers: Scrubbers;
  bus: Pick<SignalBus, "publish">;
  audit: AuditLog;
}

export interface McpSwitchDeps {
  mcpServerTools: Pick<McpServerTools, "switchAll">;
}

export interface McpAccessDeps {
  mcpServers: Pick<McpServerStore, "find" | "list">;
  mcpTools: Pick<McpTools, "ofServer">;
  mcpAccess: McpAccessStore;
  bus: Pick<SignalBus, "publish">;
  tenantEvents: Pick<TenantEvents, "publish">;
  audit: AuditLog;
  clock: Clock;
}

/** Who may use the tenant's servers has changed: it holds from the next request on, everywhere. */
export const tellAccess = ({ bus }: Pick<McpServerDeps, "bus">, tenantId: string): Promise<void> =>
  bus.publish({ type: "forget", kind: "tenant", id: tenantId, tenantId });
