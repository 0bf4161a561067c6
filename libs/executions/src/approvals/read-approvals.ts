import { requireTenant } from "@bulkhead/tenants";
import {
  APPROVALS_WAITING_MAX,
  executionIdOf,
  onlySeenBy,
  seesCallOf,
  type Approval,
  type ApprovalStatus,
  type ApprovalStore,
  type Principal,
  Fault,
} from "@bulkhead/core";

export interface ReadDeps {
  approvals: Pick<ApprovalStore, "find" | "list">;
}

/** By its own id or by the execution's. Throws `approval.not_found`. */
export async function getApproval(deps: ReadDeps, principal: Principal, ref: string): Promise<Approval> {
  const reader = requireTenant(principal, "approvals.read");
  const key = { tenantId: reader.tenantId, executionId: executionIdOf(ref) };
  const approval = await deps.approvals.find(key);
  if (!approval || !seesCallOf(reader, approval.context.agentId)) throw noSuchApproval();
  return approval;
}

/** `before` is the id of the last one of the page before. */
export interface ApprovalsPage {
  statuses: readonly ApprovalStatus[];
  before?: string;
  limit: number;
}

/** Those of these statuses that the key sees, newest first. */
export async function listApprovals(
  { approvals }: ReadDeps,
  principal: Principal,
  { before, ...asked }: ApprovalsPage,
): Promise<Approval[]> {
  const reader = requireTenant(principal, "approvals.read");
  const behind = before === undefined ? {} : { before: executionIdOf(before) };
  return approvals.list(reader.tenantId, { ...onlySeenBy(reader), ...behind, ...asked });
}

/** How many wait that the key sees, of tools and of meta-tools, counted up to a bound that none exceeds. */
export async function countWaiting(
  { approvals }: { approvals: Pick<ApprovalStore, "countWaiting"> },
  principal: Principal,
): Promise<number> {
  const reader = requireTenant(principal, "approvals.read");
  return approvals.countWaiting(reader.tenantId, APPROVALS_WAITING_MAX, onlySeenBy(reader).agentId);
}

export const noSuchApproval = (): Fault =>
  new Fault("approval.not_found", { detail: "No call with this id waits, or has waited, for a person." });
