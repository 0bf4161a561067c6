import { Fault, type Principal, type Role, type TenantPrincipal } from "@bulkhead/core";

/** The roles that each action is open to. Any other action does not exist. */
const ALLOWED = {
  "tenants.manage": ["admin"],
  // Owners only their own tenant: the use case checks.
  "tenants.export": ["admin", "owner"],
  "system.read": ["admin"],
  "load.read": ["owner", "developer", "agent", "viewer"],
  "settings.read": ["owner", "developer", "viewer"],
  "settings.write": ["owner"],
  // A tool outside its policy doesn't exist to an agent, and so nor does the policy.
  "policy.read": ["owner", "developer", "viewer"],
  "policy.write": ["owner"],
  "approvals.read": ["owner", "developer", "agent", "viewer"],
  // Developers only if the tenant lets them: the use case checks.
  "approvals.answer": ["owner", "developer"],
  "audit.read": ["owner", "developer", "viewer"],
  "usage.read": ["owner", "developer", "viewer"],
  "keys.manage": ["admin", "owner"],
  "me.read": ["admin", "owner", "developer", "agent", "viewer"],
  "accessTokens.create": ["owner", "developer", "agent", "viewer"],
  "tools.read": ["owner", "developer", "agent", "viewer"],
  "tools.write": ["owner", "developer"],
  "metaTools.change": ["owner", "developer", "agent"],
  // Developers only if the tenant lets them, as with approvals: the use case checks.
  "tools.approve": ["owner", "developer"],
  "executions.run": ["owner", "developer", "agent"],
  "executions.delete": ["owner", "developer"],
  "executions.read": ["owner", "developer", "agent", "viewer"],
  "events.read": ["owner", "developer", "agent", "viewer"],
  "webhooks.manage": ["owner"],
  "schedules.read": ["owner", "developer", "agent", "viewer"],
  "schedules.write": ["owner", "developer"],
  // Agents their own: the route checks.
  "files.read": ["owner", "developer", "agent", "viewer"],
  "files.write": ["owner", "developer", "agent"],
  "data.read": ["owner", "developer", "agent", "viewer"],
  "data.write": ["owner", "developer", "agent"],
  // Agents see them by the tool `nodes` alone.
  "devices.read": ["owner", "developer", "viewer"],
  "devices.write": ["owner"],
  // The administrator alone says which process runs, and does it for the tenant that it names.
  "mcpServers.read": ["admin", "owner", "developer", "viewer"],
  "mcpServers.write": ["admin", "owner", "developer"],
  "mcpGrants.read": ["owner", "developer", "viewer"],
  "mcpGrants.write": ["owner"],
  // Agents ask for themselves, and see what they have asked for: the use case checks.
  "mcpAccess.read": ["owner", "developer", "agent", "viewer"],
  "mcpAccess.request": ["owner", "developer", "agent"],
  "mcpAccess.answer": ["owner"],
  // Agents use services through tools alone.
  "config.read": ["owner", "developer", "viewer"],
  "config.write": ["owner", "developer"],
} as const satisfies Record<string, readonly Role[]>;

export type Action = keyof typeof ALLOWED;

/** The roles whose keys may do it. */
export const rolesOf = (action: Action): readonly Role[] => ALLOWED[action];

/** Throws `auth.forbidden`, or `tenant.required` where a tenant's key is needed and the platform's was given. */
export function requireAction(principal: Principal, action: Action): void {
  const allowed = rolesOf(action);
  if (allowed.includes(principal.role)) return;
  if (principal.role === "admin") {
    throw new Fault("tenant.required", {
      detail:
        "This route works inside a tenant; call it with a key of that tenant (POST /api/v1/tenants/:id/api-keys makes one).",
    });
  }
  throw new Fault("auth.forbidden", {
    detail: `A key with the role ${principal.role} may not do this; it takes one of: ${allowed.join(", ")}.`,
  });
}

/** The principal as a tenant's, after the same checks. */
export function requireTenant(principal: Principal, action: Action): TenantPrincipal {
  requireAction(principal, action);
  if (principal.role === "admin") throw new Fault("tenant.required");
  return principal;
}

/**
 * Requires a principal who may approve: an owner, or a developer if the tenant lets developers; never an agent. Throws
 * `auth.forbidden`.
 */
export function requireApprover(
  principal: Principal,
  action: "approvals.answer" | "tools.approve",
): TenantPrincipal {
  const approver = requireTenant(principal, action);
  if (approver.role === "developer" && !approver.approval.developersMayApprove) {
    throw new Fault("auth.forbidden", {
      detail:
        "In this tenant only owners answer; `approval.developersMayApprove` of its settings lets developers.",
    });
  }
  return approver;
}
