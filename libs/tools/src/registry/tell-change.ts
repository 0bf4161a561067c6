import { namesOf, nameTag, type AuditDetails, type TenantPrincipal, type Tool } from "@bulkhead/core";
import type { ToolDeps } from "./tool-deps.ts";

/** The kinds of changes of a tool. Watchers see a restored one as updated. */
export type ToolChange =
  | "created"
  | "updated"
  | "restored"
  | "enabled"
  | "disabled"
  | "approved"
  | "rejected"
  | "deleted";

/** The tool before and after the change, null if there is none, further details for the audit log, and why it was rejected. */
export interface ToolStep {
  before: Tool | null;
  after: Tool | null;
  details?: AuditDetails;
  reason?: string | undefined;
}

/** Records the change of the tool, and announces it to the tenant's watchers and to caches of its tools. */
export async function tellChange(
  { bus, tenantEvents, audit }: Pick<ToolDeps, "bus" | "tenantEvents" | "audit">,
  principal: TenantPrincipal,
  change: ToolChange,
  { before, after, details, reason }: ToolStep,
): Promise<void> {
  const tool = after ?? before;
  if (!tool) return;
  const { tenantId, keyId } = principal;
  const { id, agentId, name, version, status } = tool;
  await audit.record(principal, tenantId, {
    action: `tool.${change}`,
    id,
    name,
    beforeHash: before?.contentHash ?? null,
    afterHash: after?.contentHash ?? null,
    details: { version, status, ...(agentId === null ? {} : { agentId }), ...details },
  });
  await bus.publish({ type: "forget", kind: "tools", id: tenantId, tenantId });
  // Until now the agent got the tenant's tool of this name.
  const had = before ? namesOf(before) : [];
  const taken = agentId === null ? [] : namesOf(tool).filter((one) => !had.includes(one));
  for (const one of taken)
    await bus.publish({ type: "forget", kind: "tool", id: nameTag(tenantId, one), tenantId });
  const data = { toolId: id, toolName: name, toolVersion: version, status, by: keyId, reason };
  await tenantEvents.publish(tenantId, {
    type: `tool.${change === "restored" ? "updated" : change}`,
    data,
    agentId,
  });
}
