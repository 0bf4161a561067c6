import { newTraceId, type ExecutionStore } from "@bulkhead/core";
import { firstUse } from "../submit/idempotency.ts";
import { nextExecutionId, PLAIN_CALL } from "../submit/build-execution.ts";
import { submitExecution, type SubmitDeps } from "../submit/submit.ts";
import type { SubmitScheduled } from "./schedule-deps.ts";

/** Submits a schedule's calls as any others; each begins a trace of its own. */
export const scheduledSubmission =
  (deps: SubmitDeps & { executions: Pick<ExecutionStore, "find" | "findByKey"> }): SubmitScheduled =>
  async (principal, tool, call) => {
    const { tenantId } = principal;
    const first = async (executionId: string) => {
      const execution = await deps.executions.find({ tenantId, executionId });
      return { executionId, status: execution?.status ?? "queued", repeated: true };
    };
    const known = await firstUse(deps, tenantId, call.once);
    if (known !== null) return first(known);
    const submitted = await submitExecution(deps, principal, tool, {
      ...PLAIN_CALL,
      source: "schedule",
      ...call,
      executionId: nextExecutionId(deps.clock),
      traceId: newTraceId(),
    });
    return submitted.repeated ? first(submitted.executionId) : submitted;
  };
