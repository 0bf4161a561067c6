import { Fault } from "@bulkhead/faults";
import type { Principal, Role, TenantPrincipal } from "@bulkhead/domain";

/** Who may do what. An action that is not here does not exist. */
const ALLOWED = {
  "tenants.manage": ["admin"],
  "system.read": ["admin"],
  "keys.manage": ["admin", "owner"],
  "tools.read": ["owner", "developer", "agent", "viewer"],
  "tools.write": ["owner", "developer"],
  "tools.approve": ["owner"],
  "executions.run": ["owner", "developer", "agent"],
  "executions.read": ["owner", "developer", "agent", "viewer"],
} as const satisfies Record<string, readonly Role[]>;

export type Action = keyof typeof ALLOWED;

/** Throws `auth.forbidden`, or `tenant.required` where a tenant's key is needed and the platform's was given. */
export function requireAction(principal: Principal, action: Action): void {
  const allowed: readonly Role[] = ALLOWED[action];
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
