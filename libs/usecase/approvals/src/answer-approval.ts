import { requireApprover } from "@bulkhead/access";
import {
  matchArguments,
  newStandingId,
  STANDING_APPROVALS_MAX,
  type Approval,
  type ApprovalStore,
  type ArgumentPattern,
  type AuditAction,
  type AuditDeed,
  type AuditLog,
  type Principal,
  type TenantPrincipal,
} from "@bulkhead/domain";
import { denyExecution, letRun, type EndDeps, type LetRunDeps } from "@bulkhead/execution";
import { Fault } from "@bulkhead/faults";
import { alreadyAnswered } from "./already-answered.ts";
import { getApproval, type ReadDeps } from "./read-approvals.ts";
import { refuseBlocked, type BlockedDeps } from "./refuse-blocked.ts";

export type AnswerDeps = ReadDeps &
  BlockedDeps &
  EndDeps &
  LetRunDeps & {
    approvals: Pick<ApprovalStore, "allow">;
    audit: AuditLog;
  };

/** `once`, or always: for every call of the tool's version (null), or for those whose arguments match. */
export type Allowance = "once" | { always: ArgumentPattern | null };

/**
 * Lets a call run that waits; of several answers one counts. Throws `approval.not_found`, `approval.already_answered`,
 * `approval.too_many_standing`, `request.invalid` for a pattern that this very call does not match, and `tool.blocked`
 * where it is blocked by now: then it waits on.
 */
export async function allowApproval(
  deps: AnswerDeps,
  principal: Principal,
  ref: string,
  allowance: Allowance,
): Promise<Approval> {
  const answerer = requireAnswerer(principal);
  const { keyId, tenantId } = answerer;
  const approval = requireWaiting(await getApproval(deps, principal, ref));
  await refuseBlocked(deps, answerer, approval);
  const answer = { answer: allowance === "once" ? "allow_once" : "allow_always", by: keyId } as const;
  const standing = allowance === "once" ? null : newStanding(approval, allowance.always);
  const admission = await deps.approvals.allow(approval, answer, standing, STANDING_APPROVALS_MAX);
  if (admission) {
    const action = allowance === "once" ? "approval.allowed_once" : "approval.allowed_always";
    await deps.audit.record(principal, tenantId, answered(approval, action, allowance));
    await letRun(deps, admission, approval, answer);
  }
  const now = await getApproval(deps, principal, ref);
  if (!admission) throw alreadyAnswered(now);
  return now;
}

/** Denies a call that waits; of several answers one counts. Throws `approval.not_found` or `approval.already_answered`. */
export async function denyApproval(deps: AnswerDeps, principal: Principal, ref: string): Promise<Approval> {
  const { keyId, tenantId } = requireAnswerer(principal);
  const approval = requireWaiting(await getApproval(deps, principal, ref));
  const ended = await denyExecution(deps, approval, keyId);
  if (ended) await deps.audit.record(principal, tenantId, answered(approval, "approval.denied"));
  const now = await getApproval(deps, principal, ref);
  if (!ended) throw alreadyAnswered(now);
  return now;
}

/** Which argument a pattern looks at is told, what it matches is not: it may hold parts of the arguments. */
function answered(
  { approvalId, executionId, toolId, toolName, toolVersion, requestedBy }: Approval,
  action: AuditAction,
  allowance: Allowance = "once",
): AuditDeed {
  const always = allowance === "once" ? null : allowance.always;
  const narrowed = always === null ? {} : { pattern: true, argument: always.argument };
  const details = { executionId, toolId, toolVersion, requestedBy, ...narrowed };
  return { action, id: approvalId, name: toolName, details };
}

/** Throws `auth.forbidden`. */
export const requireAnswerer = (principal: Principal): TenantPrincipal =>
  requireApprover(principal, "approvals.answer");

function requireWaiting(approval: Approval): Approval {
  if (approval.status !== "waiting") throw alreadyAnswered(approval);
  return approval;
}

/** Who allows a call for good by a pattern must mean this one too, else it is a slip. */
function newStanding({ arguments: args }: Approval, pattern: ArgumentPattern | null) {
  if (pattern !== null && matchArguments(pattern, args) !== "match") {
    const message = "does not match the call that is being allowed";
    throw new Fault("request.invalid", {
      detail: `The pattern ${message}.`,
      errors: [{ path: "pattern", message }],
    });
  }
  return { standingId: newStandingId(), pattern };
}
