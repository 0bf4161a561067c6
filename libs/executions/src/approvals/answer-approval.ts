import { requireApprover } from "@bulkhead/tenants";
import {
  canonicalJson,
  matchArguments,
  newStandingId,
  scopeOf,
  STANDING_APPROVALS_MAX,
  type Approval,
  type ApprovalStore,
  type ArgumentPattern,
  type AuditAction,
  type AuditDeed,
  type AuditDetails,
  type AuditLog,
  type JsonObject,
  type Principal,
  type SchemaChecker,
  type SignalBus,
  type TenantPrincipal,
  type ToolStore,
  Fault,
} from "@bulkhead/core";
import { denyExecution, type EndDeps } from "../end/end-execution.ts";
import { letRun, type LetRunDeps } from "../end/let-run.ts";
import { takeArguments } from "../submit/take-arguments.ts";
import { builtInOf, newRule, requireSameService } from "./allow-built-in.ts";
import { alreadyAnswered } from "./already-answered.ts";
import { getApproval, type ReadDeps } from "./read-approvals.ts";
import { refuseBlocked, type BlockedDeps } from "./refuse-blocked.ts";

export type AnswerDeps = ReadDeps &
  BlockedDeps &
  EndDeps &
  LetRunDeps & {
    approvals: Pick<ApprovalStore, "allow">;
    tools: Pick<ToolStore, "find" | "findVersion">;
    schemas: Pick<SchemaChecker, "checkArguments">;
    audit: AuditLog;
    bus: Pick<SignalBus, "publish">;
  };

/**
 * Once, with other arguments than the call's where some are given; or always: for every call of the tool's version
 * (null), or for those whose arguments match.
 */
export type Allowance = { once: JsonObject | null } | { always: ArgumentPattern | null };

/**
 * Lets a call run that waits; of several answers one counts. Throws `approval.not_found`, `approval.already_answered`,
 * `approval.too_many_standing`, `request.invalid` for a pattern that this very call does not match, `tool.arguments_invalid`
 * for other arguments that the version which was asked about does not take, and `tool.blocked` where it, with the arguments
 * that it would run with, is blocked by now: then it waits on.
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
  const different = withoutSame(allowance, approval.arguments);
  const allowed = withoutSame(await asTaken(deps, answerer, approval, different), approval.arguments);
  const changed = "once" in allowed ? allowed.once : null;
  await refuseBlocked(deps, answerer, changed === null ? approval : { ...approval, arguments: changed });
  const answer = {
    answer: "once" in allowance ? "allow_once" : "allow_always",
    by: keyId,
    arguments: changed ?? undefined,
  } as const;
  const standing = "once" in allowance ? null : remembered(approval, allowance.always);
  const admission = await deps.approvals.allow(approval, answer, standing, STANDING_APPROVALS_MAX);
  if (admission) {
    const action = "once" in allowance ? "approval.allowed_once" : "approval.allowed_always";
    await deps.audit.record(principal, tenantId, answered(approval, action, allowed));
    await letRun(deps, admission, approval, answer);
    if (standing !== null && !("standingId" in standing)) await tellSettings(deps, tenantId);
  }
  const now = await getApproval(deps, principal, ref);
  if (!admission) throw alreadyAnswered(now);
  return now;
}

/** The rule is stored; whoever does not hear of it asks once more. Never rejects. */
const tellSettings = ({ bus, report }: AnswerDeps, tenantId: string): Promise<void> =>
  bus
    .publish({ type: "forget", kind: "tenant", id: tenantId, tenantId })
    .catch((error: unknown) => report("telling that settings changed failed", error));

/** Repeating the call's own arguments changes nothing. */
const withoutSame = (allowance: Allowance, asked: JsonObject): Allowance =>
  "once" in allowance && allowance.once !== null && canonicalJson(allowance.once) === canonicalJson(asked)
    ? { once: null }
    : allowance;

/**
 * Other arguments as they would run, by the parameters of the version that was asked about; one that is gone runs
 * nothing, and takes anything.
 */
async function asTaken(
  deps: AnswerDeps,
  principal: TenantPrincipal,
  approval: Approval,
  allowance: Allowance,
): Promise<Allowance> {
  if (!("once" in allowance) || allowance.once === null) return allowance;
  const { toolId, toolVersion } = approval;
  const builtIn = builtInOf(approval);
  if (builtIn !== null) {
    const taker = { ...builtIn, applyDefaults: null };
    requireSameService(builtIn, approval, allowance.once);
    return { once: await takeArguments(deps, principal, `built-in/${builtIn.name}`, taker, allowance.once) };
  }
  if (toolId === null) return allowance;
  const version = await deps.tools.findVersion(principal.tenantId, toolId, toolVersion);
  if (!version) return allowance;
  const tool = await deps.tools.find(principal.tenantId, toolId, scopeOf(principal));
  const taker = { parameters: version.parameters, applyDefaults: tool?.applyDefaults ?? null };
  const key = `${toolId}@${toolVersion}`;
  return { once: await takeArguments(deps, principal, key, taker, allowance.once) };
}

/**
 * Denies a call that waits, with a reason for who called where one is given; of several answers one counts. Throws
 * `approval.not_found` or `approval.already_answered`.
 */
export async function denyApproval(
  deps: AnswerDeps,
  principal: Principal,
  ref: string,
  reason: string | null,
): Promise<Approval> {
  const { keyId, tenantId } = requireAnswerer(principal);
  const approval = requireWaiting(await getApproval(deps, principal, ref));
  const ended = await denyExecution(deps, approval, keyId, reason);
  if (ended) await deps.audit.record(principal, tenantId, denied(approval, reason));
  const now = await getApproval(deps, principal, ref);
  if (!ended) throw alreadyAnswered(now);
  return now;
}

/** It names the argument that a pattern looks at, not the text that it matches: that may hold parts of the arguments. */
function answered(
  { approvalId, executionId, toolId, toolName, toolVersion, requestedBy }: Approval,
  action: AuditAction,
  allowance: Allowance | null,
): AuditDeed {
  const details = { executionId, toolId, toolVersion, requestedBy, ...allowedHow(allowance) };
  return { action, id: approvalId, name: toolName, details };
}

/** A reason is a person's text, which the entry only counts. */
function denied(approval: Approval, reason: string | null): AuditDeed {
  const deed = answered(approval, "approval.denied", null);
  return reason === null ? deed : { ...deed, details: { ...deed.details, reasonGiven: true } };
}

function allowedHow(allowance: Allowance | null): AuditDetails {
  if (allowance === null) return {};
  if ("once" in allowance) return allowance.once === null ? {} : { argumentsChanged: true };
  return allowance.always === null ? {} : { pattern: true, argument: allowance.always.argument };
}

/** Throws `auth.forbidden`. */
export const requireAnswerer = (principal: Principal): TenantPrincipal =>
  requireApprover(principal, "approvals.answer");

function requireWaiting(approval: Approval): Approval {
  if (approval.status !== "waiting") throw alreadyAnswered(approval);
  return approval;
}

/** A pattern that allows calls for good must match this call too, else it is a slip. */
function remembered(approval: Approval, pattern: ArgumentPattern | null) {
  const { toolId, arguments: args } = approval;
  if (pattern !== null && matchArguments(pattern, args) !== "match") {
    const message = "does not match the call that is being allowed";
    throw new Fault("request.invalid", {
      detail: `The pattern ${message}.`,
      errors: [{ path: "pattern", message }],
    });
  }
  return toolId === null ? newRule(approval, pattern) : { standingId: newStandingId(), pattern };
}
