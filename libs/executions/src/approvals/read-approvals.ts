import { requireTenant } from "@bulkhead/tenants";
import {
  executionIdOf,
  onlySeenBy,
  seesCallOf,
  type Approval,
  type ApprovalStore,
  type Principal,
  Fault,
} from "@bulkhead/core";

export interface ReadDeps {
  approvals: Pick<ApprovalStore, "find" | "listWaiting">;
}

/** By its own id or by the execution's. Throws `approval.not_found`. */
export async function getApproval(deps: ReadDeps, principal: Principal, ref: string): Promise<Approval> {
  const reader = requireTenant(principal, "approvals.read");
  const key = { tenantId: reader.tenantId, executionId: executionIdOf(ref) };
  const approval = await deps.approvals.find(key);
  if (!approval || !seesCallOf(reader, approval.context.agentId)) throw noSuchApproval();
  return approval;
}

/** Those that still wait and that the key sees, newest first; `before` is the id of the last one of the page before. */
export async function listApprovals(
  { approvals }: ReadDeps,
  principal: Principal,
  { before, limit }: { before?: string; limit: number },
): Promise<Approval[]> {
  const reader = requireTenant(principal, "approvals.read");
  const behind = before === undefined ? {} : { before: executionIdOf(before) };
  return approvals.listWaiting(reader.tenantId, { ...onlySeenBy(reader), ...behind, limit });
}

export const noSuchApproval = (): Fault =>
  new Fault("approval.not_found", { detail: "No call with this id waits, or has waited, for a person." });
