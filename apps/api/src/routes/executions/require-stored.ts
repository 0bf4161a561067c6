import { type TenantPrincipal, Fault } from "@bulkhead/core";

/** Agents don't say that nothing is kept of what they do: tools and tenants say so. Throws `auth.forbidden`. */
export function requireStored({ role }: Pick<TenantPrincipal, "role">, stores: readonly boolean[]): void {
  if (role === "agent" && stores.includes(false))
    throw new Fault("auth.forbidden", {
      detail:
        "An agent's key can't say store: false; the retention of the tool or its tenant says what is kept.",
    });
}
