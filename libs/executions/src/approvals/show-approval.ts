import { deniedFor, NOT_ALLOWED, type Approval, type MetaToolApproval } from "@bulkhead/core";
import { linksOf } from "../follow/present-execution.ts";
import type { AnyApproval } from "./any-approval.ts";

/** A call that waits, or waited, for a person, as outsiders see it. */
export const showApproval = (any: AnyApproval) =>
  any.kind === "execution" ? presentExecutionCall(any.approval) : presentMetaToolCall(any.approval);

/** A call that waits is read and answered at this path. */
export const approvalPath = (approvalId: string): string => `/api/v1/approvals/${approvalId}`;

function presentExecutionCall(approval: Approval) {
  const { executionId, toolVersion, toolName } = approval;
  const self = approvalPath(approval.approvalId);
  return {
    kind: "execution" as const,
    ...presentAsked(approval),
    toolId: approval.toolId,
    agentId: approval.context.agentId,
    executionId,
    toolName,
    toolVersion,
    asking: approval.asking,
    askedArguments: approval.answer?.askedArguments,
    callback: approval.callbackUrl === null ? undefined : { url: approval.callbackUrl },
    links: {
      self,
      execution: linksOf(executionId).self,
      allowOnce: `${self}/allow-once`,
      allowAlways: `${self}/allow-always`,
      deny: `${self}/deny`,
    },
  };
}

function presentMetaToolCall(approval: MetaToolApproval) {
  const self = approvalPath(approval.approvalId);
  return {
    kind: "meta_tool" as const,
    ...presentAsked(approval),
    toolId: approval.toolId,
    agentId: approval.agentId ?? undefined,
    toolName: approval.name,
    ...presentOutcome(approval),
    links: { self, allowOnce: `${self}/allow-once`, deny: `${self}/deny` },
  };
}

function presentOutcome({ status, outcome, answer }: MetaToolApproval) {
  if (status === "denied") return { error: problemOf(deniedFor(answer?.reason)) };
  if (status === "expired") return { error: problemOf(NOT_ALLOWED.expire) };
  if (outcome === null) return {};
  return "result" in outcome ? { result: outcome.result } : { error: outcome.problem };
}

const problemOf = ({ code, message }: { code: string; message: string }) => ({ code, detail: message });

const presentAsked = (approval: Approval | MetaToolApproval) => ({
  id: approval.approvalId,
  arguments: approval.arguments,
  context: approval.context,
  requestedBy: approval.requestedBy,
  status: approval.status,
  createdAt: approval.createdAt.toISOString(),
  expiresAt: approval.expiresAt,
  answer: approval.answer?.answer,
  answeredBy: approval.answer?.by ?? undefined,
  answeredAt: approval.answer?.at,
  reason: approval.answer?.reason,
});
