import { requireTenant } from "@bulkhead/tenants";
import {
  approvalIdOf,
  onlySeenBy,
  seesCallOf,
  type Approval,
  type MetaToolApproval,
  type MetaToolApprovalStore,
  type Principal,
} from "@bulkhead/core";
import {
  allowApproval,
  denyApproval,
  requireAnswerer,
  type Allowance,
  type AnswerDeps,
} from "./answer-approval.ts";
import {
  allowCall,
  denyCall,
  refuseAlways,
  refuseChanged,
  type AnswerCallDeps,
} from "./meta-tools/answer-call.ts";
import {
  getApproval,
  listApprovals,
  noSuchApproval,
  type ApprovalsPage,
  type ReadDeps,
} from "./read-approvals.ts";

/** A call that waits, or waited, for a person: of a tool, which then runs, or of a meta-tool, which is done at once. */
export type AnyApproval =
  | { kind: "execution"; approval: Approval }
  | { kind: "meta_tool"; approval: MetaToolApproval };

export type ReadAnyDeps = ReadDeps & {
  metaToolApprovals: Pick<MetaToolApprovalStore, "find" | "list">;
};
export type AnswerAnyDeps = AnswerDeps & AnswerCallDeps & ReadAnyDeps;

/**
 * By its own id, or by that of its execution. What came of a meta-tool's call is for whoever asked and for people: to another
 * key of the same agent it looks undone. Throws `approval.not_found`.
 */
export async function getAnyApproval(
  deps: ReadAnyDeps,
  principal: Principal,
  ref: string,
): Promise<AnyApproval> {
  const reader = requireTenant(principal, "approvals.read");
  const call = await findCall(deps, principal, ref);
  if (!call) return execution(await getApproval(deps, principal, ref));
  if (!seesCallOf(reader, call.agentId)) throw noSuchApproval();
  const mayKnow = reader.role !== "agent" || reader.keyId === call.requestedBy;
  return metaTool(mayKnow ? call : { ...call, outcome: null });
}

/** As `listApprovals`, those of both kinds. */
export async function listAnyApprovals(
  deps: ReadAnyDeps,
  principal: Principal,
  page: ApprovalsPage,
): Promise<AnyApproval[]> {
  const reader = requireTenant(principal, "approvals.read");
  const [executions, calls] = await Promise.all([
    listApprovals(deps, principal, page),
    deps.metaToolApprovals.list(reader.tenantId, { ...onlySeenBy(reader), ...page }),
  ]);
  return [...executions.map(execution), ...calls.map(metaTool)]
    .toSorted((a, b) => (a.approval.approvalId < b.approval.approvalId ? 1 : -1))
    .slice(0, page.limit);
}

/** As `allowApproval` does; a meta-tool's call can be allowed once only (`request.invalid`). */
export async function allowAny(
  deps: AnswerAnyDeps,
  principal: Principal,
  ref: string,
  allowance: Allowance,
): Promise<AnyApproval> {
  const answerer = requireAnswerer(principal);
  const call = await findCall(deps, principal, ref);
  if (!call) return execution(await allowApproval(deps, principal, ref, allowance));
  if ("always" in allowance) refuseAlways();
  if (allowance.once !== null) refuseChanged();
  return metaTool(await allowCall(deps, answerer, call));
}

/** As `denyApproval` does. */
export async function denyAny(
  deps: AnswerAnyDeps,
  principal: Principal,
  ref: string,
  reason: string | null,
): Promise<AnyApproval> {
  const answerer = requireAnswerer(principal);
  const call = await findCall(deps, principal, ref);
  if (!call) return execution(await denyApproval(deps, principal, ref, reason));
  return metaTool(await denyCall(deps, answerer, call, reason));
}

const execution = (approval: Approval): AnyApproval => ({ kind: "execution", approval });
const metaTool = (approval: MetaToolApproval): AnyApproval => ({ kind: "meta_tool", approval });

function findCall({ metaToolApprovals }: ReadAnyDeps, principal: Principal, ref: string) {
  const { tenantId } = requireTenant(principal, "approvals.read");
  return metaToolApprovals.find({ tenantId, approvalId: approvalIdOf(ref) });
}
