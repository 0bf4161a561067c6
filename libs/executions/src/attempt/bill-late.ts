import type { AttemptKey, ExecutionStore, LateBill } from "@bulkhead/core";
import type { Report } from "../end/report.ts";

export interface LateBillDeps {
  executions: Pick<ExecutionStore, "billOutside">;
  report: Report;
}

/**
 * Puts what a run used on the record of an execution that somebody else ended meanwhile: nobody else can know it, and
 * nobody could before its guest was dead. Never rejects: without it the end stands, with what was known when it was written.
 */
export async function billLate(deps: LateBillDeps, attempt: AttemptKey, bill: LateBill): Promise<boolean> {
  try {
    return await deps.executions.billOutside(attempt, bill);
  } catch (error) {
    deps.report("billing a run that was ended from outside failed", error);
    return false;
  }
}
