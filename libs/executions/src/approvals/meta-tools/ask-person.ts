import {
  newApprovalId,
  type Clock,
  type ConfirmedCall,
  type MetaToolApprovalStore,
  type TenantEvents,
  type TenantPrincipal,
} from "@bulkhead/core";
import { tooManyWaiting, waitingSlotsFor, type WaitingSlotDeps } from "../../submit/wait-for-person.ts";

export type AskPersonDeps = WaitingSlotDeps & {
  metaToolApprovals: Pick<MetaToolApprovalStore, "insert">;
  tenantEvents: Pick<TenantEvents, "publish">;
  clock: Clock;
};

/**
 * Stores an agent's call of a meta-tool until a person answers, for as long as the tenant's calls wait, and tells those who
 * watch the tenant. Answers the id of its approval. Throws `approval.too_many`.
 */
export async function askPerson(
  deps: AskPersonDeps,
  principal: TenantPrincipal,
  call: ConfirmedCall,
): Promise<string> {
  if ((await waitingSlotsFor(deps, principal, 1)) < 1) throw tooManyWaiting();
  const { tenantId, keyId, agentId, approval } = principal;
  const createdAt = deps.clock();
  const approvalId = newApprovalId(createdAt);
  const expiresAt = new Date(createdAt.getTime() + approval.timeoutMs).toISOString();
  const asked = { ...call, approvalId, tenantId, requestedBy: keyId, agentId, createdAt, expiresAt };
  await deps.metaToolApprovals.insert(asked);
  const data = { ...newsOf(asked), by: keyId, expiresAt };
  await deps.tenantEvents.publish(tenantId, { type: "approval.requested", data, agentId });
  return approvalId;
}

/**
 * The data that news of such a call carry: it has no execution, and the meta-tool, which is the platform's own, no
 * version.
 */
export const newsOf = ({ approvalId, toolId, name }: ConfirmedCall & { approvalId: string }) => ({
  approvalId,
  executionId: "",
  toolId,
  toolName: name,
  toolVersion: 0,
});
