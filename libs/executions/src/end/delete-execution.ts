import {
  isTerminal,
  type AuditLog,
  type ErasureStore,
  type EventStream,
  type ExecutionKey,
  type ExecutionStore,
  type TenantPrincipal,
  Fault,
} from "@bulkhead/core";
import type { Report } from "./report.ts";
import { linksOf } from "../follow/present-execution.ts";
import { noSuchExecution, requireSeen } from "../follow/see-execution.ts";

export interface DeleteExecutionDeps {
  executions: Pick<ExecutionStore, "find">;
  erasures: Pick<ErasureStore, "deleteExecution">;
  stream: Pick<EventStream, "erase">;
  audit: AuditLog;
  report: Report;
}

/** One that ends between two looks is met by the second. */
const LOOKS_MAX = 2;

/**
 * Deletes the data of an ended execution for good. What it used still counts, and the audit log has who deleted it. Throws
 * `execution.not_found`, `execution.not_ended`.
 */
export async function deleteExecution(
  deps: DeleteExecutionDeps,
  by: TenantPrincipal,
  key: ExecutionKey,
): Promise<void> {
  await requireSeen(deps, by, key);
  const { toolId, toolName: name } = await deleted(deps, key);
  // Its stream is due to be erased in any case, should this fail.
  await deps.stream
    .erase(key)
    .catch((error: unknown) => deps.report("erasing a stream failed; a worker does it", error));
  await deps.audit.record(by, key.tenantId, {
    action: "execution.deleted",
    id: key.executionId,
    name,
    details: { toolId },
  });
}

async function deleted({ executions, erasures }: DeleteExecutionDeps, key: ExecutionKey) {
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    const done = await erasures.deleteExecution(key);
    if (done) return done;
    const found = await executions.find(key);
    if (!found) throw noSuchExecution();
    if (isTerminal(found.status)) continue;
    throw new Fault("execution.not_ended", {
      detail: `The execution is ${found.status}; cancel it first (POST ${linksOf(key.executionId).cancel}), or wait for its end.`,
    });
  }
  throw new Fault("service.unavailable", { internal: "deleting an execution lost a race twice" });
}
