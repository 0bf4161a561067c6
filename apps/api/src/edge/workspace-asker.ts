import { agentOf, type Principal, type TenantPrincipal, type Workspace } from "@bulkhead/core";
import { requireTenant } from "@bulkhead/tenants";
import { invalidField } from "./validate.ts";

interface Said {
  agentId?: string | undefined;
  userId?: string | undefined;
}

/** Who asks, and for whose files or data. */
export interface WorkspaceAsked {
  asker: { workspace: Workspace; by: string; seesAll: boolean };
  principal: TenantPrincipal;
}

/** Whose workspace a request means. Throws `request.invalid` where an agent's key names another agent. */
export function askerOf(
  principal: Principal,
  action: "files.read" | "files.write" | "data.read" | "data.write",
  said: Said,
): WorkspaceAsked {
  const tenants = requireTenant(principal, action);
  const { tenantId, role, keyId, asks } = tenants;
  const agentId = agentOf(tenants, said.agentId);
  if (said.agentId !== undefined && said.agentId !== agentId)
    throw invalidField(
      "agentId",
      "must be the key's own agent, or left out",
      "The query is not valid: agentId",
    );
  const workspace = { tenantId, agentId, userId: said.userId ?? asks?.userId ?? null };
  return { asker: { workspace, by: keyId, seesAll: role !== "agent" }, principal: tenants };
}
