import { requireTenant } from "@bulkhead/tenants";
import {
  scopeOf,
  type ApprovalStore,
  type AuditLog,
  type Principal,
  type StandingApproval,
  Fault,
} from "@bulkhead/core";

export interface StandingDeps {
  approvals: Pick<ApprovalStore, "listStanding" | "deleteStanding">;
}

/** Lists those of the tools that the key sees, newest first; `before` is the id of the last one of the page before. */
export async function listStandingApprovals(
  { approvals }: StandingDeps,
  principal: Principal,
  page: { before?: string; limit: number },
): Promise<StandingApproval[]> {
  const reader = requireTenant(principal, "approvals.read");
  return approvals.listStanding(reader.tenantId, { scope: scopeOf(reader), ...page });
}

/** From the answer on, such calls are asked about again. Throws `approval.not_found`. */
export async function revokeStanding(
  { approvals, audit }: StandingDeps & { audit: AuditLog },
  principal: Principal,
  standingId: string,
): Promise<void> {
  const { tenantId } = requireTenant(principal, "approvals.answer");
  if (!(await approvals.deleteStanding(tenantId, standingId)))
    throw new Fault("approval.not_found", { detail: "There is no standing approval with this id." });
  await audit.record(principal, tenantId, { action: "approval.standing_revoked", id: standingId });
}
