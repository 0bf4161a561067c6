import {
  announcingEventId,
  APPROVALS_WAITING_MAX,
  approvalIdOf,
  AWAITING_EVENT_ID,
  type ApprovalStore,
  type EventStream,
  type NewExecution,
  type TenantEvents,
  type TenantPrincipal,
  Fault,
} from "@bulkhead/core";
import type { Stopwatch } from "../attempt/stopwatch.ts";
import type { Report } from "../end/report.ts";
import type { Accepting, AcceptDeps } from "./accept.ts";
import { insertOnce } from "./idempotency.ts";

export interface WaitingSlotDeps {
  approvals: Pick<ApprovalStore, "countWaiting">;
}

export interface AskDeps {
  stream: Pick<EventStream, "append">;
  tenantEvents: Pick<TenantEvents, "publish">;
  report: Report;
}

/** When calls beyond the limit may be made again: an answer frees a slot at any moment. Seconds. */
const TOO_MANY_RETRY_SECONDS = 10;

/**
 * How many of so many more calls may wait for a person. It is asked before they are stored, so those that are made at one
 * moment may go over `APPROVALS_WAITING_MAX` together.
 */
export async function waitingSlotsFor(
  { approvals }: WaitingSlotDeps,
  { tenantId }: Pick<TenantPrincipal, "tenantId">,
  wanted: number,
): Promise<number> {
  if (wanted === 0) return 0;
  const waiting = await approvals.countWaiting(tenantId, APPROVALS_WAITING_MAX);
  return Math.min(wanted, APPROVALS_WAITING_MAX - waiting);
}

export const tooManyWaiting = (): Fault =>
  new Fault("approval.too_many", {
    detail: `${APPROVALS_WAITING_MAX} calls wait for a person already; call again when some have been answered.`,
    retryAfterSeconds: TOO_MANY_RETRY_SECONDS,
    quotas: [
      { name: "approvals", limit: APPROVALS_WAITING_MAX, remaining: 0, resetSeconds: TOO_MANY_RETRY_SECONDS },
    ],
  });

/** Tells followers of the execution, before its first attempt, that it waits, and for how long. Never rejects. */
export function announceWaiting(
  { stream, report }: Pick<AskDeps, "stream" | "report">,
  { tenantId, executionId, createdAt, approval }: NewExecution,
): Promise<unknown> {
  const about = { executionId, attempt: 0, at: createdAt.toISOString() };
  const approvalId = approvalIdOf(executionId);
  const expiresAt = approval?.expiresAt ?? "";
  return stream
    .append(tenantId, [
      { type: "execution.queued", id: announcingEventId(0), ...about },
      { type: "execution.awaiting_approval", id: AWAITING_EVENT_ID, ...about, approvalId, expiresAt },
    ])
    .catch((error: unknown) => report("announcing an execution that waits failed", error));
}

/** A call that waits, as those hear of it who may answer. */
type AskedCall = Pick<
  NewExecution,
  "tenantId" | "executionId" | "toolId" | "toolName" | "toolVersion" | "context" | "requestedBy"
> & { approval: { expiresAt: string } | null };

/** Tells those who watch the tenant that a stored execution waits for a person. Never rejects. */
export async function askPeople(
  { tenantEvents }: Pick<AskDeps, "tenantEvents">,
  { tenantId, executionId, toolId, toolName, toolVersion, context, requestedBy, approval }: AskedCall,
): Promise<void> {
  await tenantEvents.publish(tenantId, {
    type: "approval.requested",
    data: {
      approvalId: approvalIdOf(executionId),
      executionId,
      toolId: toolId ?? "",
      toolName,
      toolVersion,
      by: requestedBy,
      expiresAt: approval?.expiresAt ?? "",
    },
    agentId: context.agentId ?? null,
  });
}

export type AcceptWaitingDeps = AskDeps & WaitingSlotDeps & Pick<AcceptDeps, "executions">;

/**
 * Commits an execution that waits for a person: it has no slot in the queue until it is allowed. Answers as `accept` does.
 * Throws `approval.too_many` and `idempotency.conflict`.
 */
export async function acceptWaiting(
  deps: AcceptWaitingDeps,
  principal: TenantPrincipal,
  accepting: Accepting,
  watch: Stopwatch,
): Promise<string> {
  if ((await waitingSlotsFor(deps, principal, 1)) < 1) throw tooManyWaiting();
  // Nobody can follow a row that is not there, and an answer must find what it is told behind.
  const announced = announceWaiting(deps, accepting.execution);
  const known = await insertOnce(deps, accepting);
  watch.lap("persist");
  if (known !== null) return known;
  await Promise.all([announced, askPeople(deps, accepting.execution)]);
  return accepting.execution.executionId;
}
