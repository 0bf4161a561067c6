import {
  decideApproval,
  decideBuiltIn,
  scopeOf,
  type Approval,
  type TenantPrincipal,
  type ToolStore,
  Fault,
} from "@bulkhead/core";

import { decideBuiltInCall } from "../submit/built-in-tool.ts";
import { builtInOf } from "./allow-built-in.ts";

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
  approval: Approval,
): Promise<void> {
  const { tenantId, toolId, arguments: args } = approval;
  if (toolId === null) return refuseBlockedBuiltIn(principal, approval);
  const tool = await tools.find(tenantId, toolId, scopeOf(principal));
  if (tool && decideApproval(principal.approval, tool, args) === "blocked") throw blockedByNow(tool.name);
}

/** What nobody may run, or what can't be read, is refused as it is to who calls. */
async function refuseBlockedBuiltIn(
  { tenantId, approval: settings }: TenantPrincipal,
  approval: Approval,
): Promise<void> {
  const builtIn = builtInOf(approval);
  if (builtIn === null) return;
  const agent = { tenantId, role: "agent", approval: settings } as const;
  if (decideBuiltIn(settings, builtIn, approval.arguments) === "blocked") throw blockedByNow(builtIn.name);
  await decideBuiltInCall(agent, builtIn, approval.arguments);
}

/** The refusal to allow a waiting call whose tool or meta-tool is blocked by now. */
export const blockedByNow = (name: string): Fault =>
  new Fault("tool.blocked", {
    detail: `The tenant's policy blocks this call of ${name} for agents by now, so nobody can allow it; it waits until it is denied or expires.`,
  });
