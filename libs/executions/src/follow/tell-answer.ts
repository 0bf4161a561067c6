import {
  approvalIdOf,
  askedEventOf,
  type EventStream,
  type Execution,
  type ExecutionApproval,
  type ExecutionEvent,
  type TenantEvents,
  type TenantNews,
} from "@bulkhead/core";

type Answered = Extract<TenantNews, { type: "approval.answered" }>["data"];

interface TellDeps {
  tenantEvents: Pick<TenantEvents, "publish">;
}

/** The fields name the call that was answered. */
export type AnsweredCall = Pick<
  Execution,
  "tenantId" | "executionId" | "toolId" | "toolName" | "toolVersion" | "context"
>;

/** Tells those who watch the tenant how a call that waited was answered. Never rejects. */
export function tellAnswer(
  { tenantEvents }: TellDeps,
  { tenantId, executionId, toolId, toolName, toolVersion, context }: AnsweredCall,
  answer: Answered["answer"],
  by: string,
  reason?: string,
): Promise<void> {
  const approvalId = approvalIdOf(executionId);
  const data = { approvalId, executionId, toolId: toolId ?? "", toolName, toolVersion, answer, by, reason };
  const { agentId = null } = context;
  return tenantEvents.publish(tenantId, { type: "approval.answered", data, agentId });
}

/**
 * Tells followers what came of a call, behind the event that a person was asked where its tool's own code had one asked: the
 * worker that asked tells of that when the row says so already, so an answer can be quicker. What is told already is dropped.
 */
export async function tellBehindAsked(
  { stream }: { stream: Pick<EventStream, "append"> },
  { tenantId, executionId }: Pick<Execution, "tenantId" | "executionId">,
  approval: Pick<ExecutionApproval, "askedEventId" | "expiresAt"> | null,
  event: ExecutionEvent,
): Promise<void> {
  const asked = approval && askedEventOf(executionId, approval, event.at);
  if (asked) await stream.append(tenantId, [asked]);
  await stream.append(tenantId, [event]);
}

/** `tellAnswer` for an end that came while the call waited: it was denied, nobody answered, or it was cancelled. Never rejects. */
export async function tellNotAllowed(deps: TellDeps, ended: Execution): Promise<void> {
  const { approval, status } = ended;
  if (approval === null) return;
  if (status === "denied")
    await tellAnswer(
      deps,
      ended,
      approval.answer?.answer ?? "deny",
      approval.answer?.by ?? "",
      approval.answer?.reason,
    );
  else if (status === "cancelled" && approval.answer === null) await tellAnswer(deps, ended, "cancel", "");
}
