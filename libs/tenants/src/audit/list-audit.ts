import { requireAction, requireTenant } from "../access/roles.ts";
import type { AuditEntry, AuditPage, AuditStore, Principal } from "@bulkhead/core";

export interface ListAuditDeps {
  auditEntries: Pick<AuditStore, "list">;
}

/** The principal's own tenant's entries, newest first. */
export async function listAudit(
  { auditEntries }: ListAuditDeps,
  principal: Principal,
  page: AuditPage,
): Promise<AuditEntry[]> {
  const { tenantId } = requireTenant(principal, "audit.read");
  return auditEntries.list(tenantId, page);
}

/** A tenant's entries for the administrator, also of one that is gone: then the entry of its deletion. Newest first. */
export async function listAuditOf(
  { auditEntries }: ListAuditDeps,
  principal: Principal,
  tenantId: string,
  page: AuditPage,
): Promise<AuditEntry[]> {
  requireAction(principal, "tenants.manage");
  return auditEntries.list(tenantId, page);
}
