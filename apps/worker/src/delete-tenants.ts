import { continueDeletions } from "@bulkhead/tenants";
import type { McpBridge, McpServerStore, TenantDeletionStore, TenantRemnants } from "@bulkhead/core";
import { withdrawExecution, type EndDeps } from "@bulkhead/executions";
import { Repeating } from "./repeating.ts";

/** How soon a deletion that was asked for is begun with. */
const LOOK_EVERY_MS = 1_000;
/** Longer than a statement of a request that was under way may take (10 s) with its wait for a connection (5 s). */
const DELETION_GRACE_MS = 15_000;
const TENANT_DELETED = "The tenant was deleted.";

interface DeleteTenantsDeps extends Omit<EndDeps, "queue"> {
  queue: EndDeps["queue"] & { forget(tenantId: string): Promise<number> };
  deletions: TenantDeletionStore;
  remnants: TenantRemnants;
  triggers: { removeTrigger(scheduleId: string): Promise<void> };
  mcpServers: Pick<McpServerStore, "list">;
  mcp: Pick<McpBridge, "drop">;
}

/** Goes on with the deletion of tenants, every second; a worker that stops leaves the rest to the others, or to its next start. */
export function deleteTenantsOften(
  deps: DeleteTenantsDeps,
  graceMs = DELETION_GRACE_MS,
): { close(): Promise<void> } {
  const closing = new AbortController();
  const { deletions, queue, remnants, triggers, mcpServers, mcp, report } = deps;
  const step = () =>
    continueDeletions(
      {
        deletions,
        stopRun: (key) => withdrawExecution(deps, key, TENANT_DELETED),
        removeTrigger: (scheduleId) => triggers.removeTrigger(scheduleId),
        dropServers: async (tenantId) => {
          const servers = await mcpServers.list(tenantId);
          await Promise.all(servers.map((server) => mcp.drop(server)));
        },
        forgetQueue: (tenantId) => queue.forget(tenantId),
        remnants,
        graceMs,
        report,
      },
      closing.signal,
    );
  const repeating = new Repeating("deleting tenants", LOOK_EVERY_MS, step, report);
  return {
    close: () => {
      closing.abort();
      return repeating.close();
    },
  };
}
