import {
  decideApproval,
  scopeOf,
  type Approval,
  type TenantPrincipal,
  type ToolStore,
  Fault,
} from "@bulkhead/core";

export interface BlockedDeps {
  tools: Pick<ToolStore, "find">;
}

/**
 * The tenant or the tool may block by now a call that waits: agents made it, so it is decided as one that an agent makes
 * now, by the tool as it is now. A deleted tool runs nothing. Throws `tool.blocked`.
 */
export async function refuseBlocked(
  { tools }: BlockedDeps,
  principal: TenantPrincipal,
  { tenantId, toolId, arguments: args }: Approval,
): Promise<void> {
  const tool = await tools.find(tenantId, toolId, scopeOf(principal));
  if (tool && decideApproval(principal.approval, tool, args) === "blocked") throw blockedByNow(tool.name);
}

/** The refusal to allow a waiting call whose tool or meta-tool is blocked by now. */
export const blockedByNow = (name: string): Fault =>
  new Fault("tool.blocked", {
    detail: `The tenant's policy blocks this call of ${name} for agents by now, so nobody can allow it; it waits until it is denied or expires.`,
  });
