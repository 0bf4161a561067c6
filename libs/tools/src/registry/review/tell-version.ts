import type { AuditDetails, TenantPrincipal, Tool, ToolVersion } from "@bulkhead/core";
import type { ToolDeps } from "../tool-deps.ts";

/** The tool before and after the change of one of its versions, and that version. */
export interface VersionStep {
  before: Tool;
  after: Tool;
  version: Pick<ToolVersion, "version" | "contentHash">;
  details: AuditDetails;
  /** Why it was rejected. */
  reason?: string | undefined;
}

/** Records the change of a version beside the serving one, and announces it to the tenant's watchers. */
export async function tellVersion(
  { bus, tenantEvents, audit }: Pick<ToolDeps, "bus" | "tenantEvents" | "audit">,
  principal: TenantPrincipal,
  what: "proposed" | "approved" | "rejected",
  { before, after, version: { version, contentHash }, details, reason }: VersionStep,
): Promise<void> {
  const { tenantId, keyId } = principal;
  const { id, agentId, name, status } = after;
  await audit.record(principal, tenantId, {
    action: `tool.version_${what}`,
    id,
    name,
    beforeHash: before.contentHash,
    afterHash: after.contentHash,
    details: { version: after.version, status, ...details },
  });
  await bus.publish({ type: "forget", kind: "tools", id: tenantId, tenantId });
  const data = { toolId: id, toolName: name, toolVersion: version, contentHash, by: keyId, reason };
  await tenantEvents.publish(tenantId, { type: `tool.version_${what}`, data, agentId });
}
