import {
  decideMetaTool,
  type AuditLog,
  type MetaToolApproval,
  type MetaToolApprovalStore,
  type PersonsAnswer,
  type TenantEvents,
  type TenantPrincipal,
  Fault,
} from "@bulkhead/core";
import { alreadyAnswered } from "../already-answered.ts";
import { blockedByNow } from "../refuse-blocked.ts";
import { newsOf } from "./ask-person.ts";
import { doAllowed, type DoDeps } from "./do-allowed.ts";

export type AnswerCallDeps = DoDeps & {
  metaToolApprovals: Pick<MetaToolApprovalStore, "find" | "answer">;
  tenantEvents: Pick<TenantEvents, "publish">;
  audit: AuditLog;
};

/**
 * Allows the call and does it before it answers; one that was allowed before and is not done, because whoever was at it was
 * cut off, is done now. What a person allowed stays allowed where it can't be done at the moment: a sweep does it.
 * Throws `approval.already_answered`, and `tool.blocked` where the tenant blocks such calls by now: then it waits on.
 */
export async function allowCall(
  deps: AnswerCallDeps,
  principal: TenantPrincipal,
  call: MetaToolApproval,
): Promise<MetaToolApproval> {
  const isBlocked = decideMetaTool(principal.approval, call.name, call.arguments) === "blocked";
  if (call.status === "waiting" && isBlocked) throw blockedByNow(call.name);
  const isUndone = call.status === "allowed" && call.outcome === null;
  if (!isUndone) await answerOnce(deps, principal, call, "allow_once");
  await doAllowed(deps, call).catch((error: unknown) =>
    deps.report("doing a meta-tool's call that was allowed failed; a sweep will do it", error),
  );
  return found(deps, call);
}

/** Throws `approval.already_answered`. */
export async function denyCall(
  deps: AnswerCallDeps,
  principal: TenantPrincipal,
  call: MetaToolApproval,
  reason: string | null,
): Promise<MetaToolApproval> {
  await answerOnce(deps, principal, call, "deny", reason);
  return found(deps, call);
}

/** There is nothing of which a standing approval could be: every call makes or deletes another tool. */
export function refuseAlways(): never {
  throw new Fault("request.invalid", {
    detail:
      "A meta-tool can't be allowed for good by an answer; allow this call once, or set its name in `approval.tools` of the tenant's settings, or `approval.metaTools`, to preApproved.",
  });
}

/** A person who wants another tool than was asked for denies the call and says so; the agent then asks for that one. */
export function refuseChanged(): never {
  const message = "can't be changed of a meta-tool's call; deny it with a reason, which the agent is told";
  throw new Fault("request.invalid", {
    detail: `The body is not valid: arguments: ${message}.`,
    errors: [{ path: "arguments", message }],
  });
}

const AUDITED = { allow_once: "approval.allowed_once", deny: "approval.denied" } as const;

async function answerOnce(
  deps: AnswerCallDeps,
  principal: TenantPrincipal,
  call: MetaToolApproval,
  answer: keyof typeof AUDITED,
  reason: string | null = null,
): Promise<void> {
  const { approvalId, tenantId, name, toolId, requestedBy } = call;
  const told: PersonsAnswer = { answer, by: principal.keyId, reason: reason ?? undefined };
  if (!(await deps.metaToolApprovals.answer(call, told))) throw alreadyAnswered(await found(deps, call));
  const details = { toolId, requestedBy, ...(reason === null ? {} : { reasonGiven: true }) };
  const deed = { action: AUDITED[answer], id: approvalId, name, details };
  await deps.audit.record(principal, tenantId, deed);
  await tellAnswered(deps, call, told);
}

/** Never rejects. */
export const tellAnswered = (
  { tenantEvents }: Pick<AnswerCallDeps, "tenantEvents">,
  call: MetaToolApproval,
  answer: PersonsAnswer | { answer: "expire"; by: "" },
): Promise<void> =>
  tenantEvents.publish(call.tenantId, {
    type: "approval.answered",
    data: { ...newsOf(call), ...answer },
    agentId: call.agentId,
  });

async function found(
  { metaToolApprovals }: AnswerCallDeps,
  call: MetaToolApproval,
): Promise<MetaToolApproval> {
  return (await metaToolApprovals.find(call)) ?? call;
}
