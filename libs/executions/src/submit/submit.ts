import type { ExecutionStore, TenantPrincipal, Timings, Tool } from "@bulkhead/core";
import type { Tracing } from "@bulkhead/process/telemetry";
import { Stopwatch } from "../attempt/stopwatch.ts";
import { beginSubmission, inSubmission } from "./submission-span.ts";
import { accept, type AcceptDeps } from "./accept.ts";
import { acceptWaiting, type AcceptWaitingDeps } from "./wait-for-person.ts";
import { buildExecution, type NewCall } from "./build-execution.ts";
import type { BuiltInTool } from "./built-in-tool.ts";
import { checkCall, type CheckDeps } from "./check-call.ts";
import { firstUseInstead } from "./idempotency.ts";

export type SubmitDeps = AcceptDeps &
  AcceptWaitingDeps &
  CheckDeps & { executions: Pick<ExecutionStore, "findByKey">; tracing: Tracing };

/** The outcome of a call: an execution of its own, or the one that an earlier call with its key had. */
export type Submitted =
  | {
      executionId: string;
      status: "queued" | "awaiting_approval";
      deadlineAt: Date;
      timings: Timings;
      repeated: false;
    }
  | { executionId: string; repeated: true };

/**
 * Accepts a call of a stored tool, or of one that comes with the platform: after this, it reaches exactly one terminal state. Whoever calls with a key looks first
 * whether this is its `firstUse`: a repeat gets the first answer also where its tool would be refused by now.
 * Throws `tool.not_active`, `tool.blocked`, `approval.too_many`, `tool.arguments_invalid`, `session.rate_limited`,
 * `tenant.backlog_full`, `execution.deadline_unreachable`, `idempotency.conflict` or `service.unavailable`; then nothing
 * was accepted.
 */
export async function submitExecution(
  deps: SubmitDeps,
  principal: TenantPrincipal,
  tool: Tool | BuiltInTool,
  asked: NewCall,
): Promise<Submitted> {
  const { span, call } = beginSubmission(deps.tracing, principal, tool.name, asked);
  return inSubmission(span, async () => {
    try {
      return await submit(deps, principal, tool, call);
    } catch (error) {
      const executionId = await firstUseInstead(deps, principal.tenantId, call.once, error);
      return { executionId, repeated: true };
    }
  });
}

async function submit(
  deps: SubmitDeps,
  principal: TenantPrincipal,
  tool: Tool | BuiltInTool,
  call: NewCall,
): Promise<Submitted> {
  const watch = new Stopwatch();
  const { may, arguments: args } = await checkCall(deps, principal, tool, call);
  watch.lap("validate");
  const execution = buildExecution(deps.clock(), principal, { ...call, arguments: args }, tool, may);
  const take = may === "must_wait" ? acceptWaiting : accept;
  const executionId = await take(deps, principal, { execution, once: call.once }, watch);
  if (executionId !== execution.executionId) return { executionId, repeated: true };
  const { deadlineAt } = execution;
  const status = may === "must_wait" ? "awaiting_approval" : "queued";
  return { executionId, status, deadlineAt, timings: watch.timings, repeated: false };
}
