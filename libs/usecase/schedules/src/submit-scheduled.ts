import type { ExecutionStore } from "@bulkhead/domain";
import { firstUse, nextExecutionId, PLAIN_CALL, submitExecution, type SubmitDeps } from "@bulkhead/execution";
import { randomBytes } from "node:crypto";
import type { SubmitScheduled } from "./schedule-deps.ts";

/** Submits a schedule's calls as any others; each begins a trace of its own. */
export const scheduledSubmission =
  (deps: SubmitDeps & { executions: Pick<ExecutionStore, "findByKey"> }): SubmitScheduled =>
  async (principal, tool, call) => {
    const known = await firstUse(deps, principal.tenantId, call.once);
    if (known !== null) return { executionId: known, repeated: true };
    return submitExecution(deps, principal, tool, {
      ...PLAIN_CALL,
      ...call,
      executionId: nextExecutionId(deps.clock),
      traceId: randomBytes(16).toString("hex"),
    });
  };
