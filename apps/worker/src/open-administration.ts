import { openGateway } from "@bulkhead/agents/gateway";
import type {
  CapabilityFamily,
  ExecutionStore,
  McpBridge,
  ScheduleTriggers,
  SchemaChecker,
} from "@bulkhead/core";
import { scheduledSubmission, StandingCounter } from "@bulkhead/executions";
import type { Platform } from "@bulkhead/platform";
import type { Closers } from "@bulkhead/process";
import { toolServices, type Policies } from "@bulkhead/tenants";
import { openMcpServerTools } from "@bulkhead/tools";

interface Opened {
  platform: Platform;
  closers: Closers;
  executions: ExecutionStore;
  mcp: McpBridge;
  schemas: SchemaChecker;
  policies: Policies;
  triggers: ScheduleTriggers;
}

/** Opens what agents administer their tenant by: the use cases that routes of the API have, over this worker's stores. */
export function openAdministration(opened: Opened): CapabilityFamily {
  const { platform, closers, executions, mcp, schemas, policies, triggers } = opened;
  const { database, queue, stream, signals: bus, tenantEvents, rateLimiter, tracing } = platform;
  const { audit, clock, report } = platform;
  const { approvals, tenants, apiKeys } = database;
  const telling = { queue, stream, bus, tenantEvents, audit, clock, report };
  const services = toolServices({ ...database, audit, clock });
  const standingUses = closers.add("standing approvals", new StandingCounter({ approvals, clock, report }));
  const submitting = { ...telling, executions, schemas, approvals, standingUses, rateLimiter, tracing };
  return openGateway({
    ...database,
    ...telling,
    executions,
    triggers,
    schemas,
    submitScheduled: scheduledSubmission(submitting),
    bridge: mcp,
    mcpServerTools: openMcpServerTools({
      ...database,
      ...telling,
      servers: database.mcpServers,
      toolServices: services,
    }),
    toolServices: services,
    loads: queue,
    callers: { tenants, apiKeys, policies, executions, clock },
  });
}
