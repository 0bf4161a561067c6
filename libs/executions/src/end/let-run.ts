import {
  announcingEventId,
  type Admission,
  type Clock,
  type EventStream,
  type ExecutionQueue,
  type PersonsAnswer,
  type TenantEvents,
} from "@bulkhead/core";
import type { Report } from "./report.ts";
import { tellAnswer, type AnsweredCall } from "../follow/tell-answer.ts";

export interface LetRunDeps {
  stream: Pick<EventStream, "append">;
  queue: Pick<ExecutionQueue, "admit">;
  tenantEvents: Pick<TenantEvents, "publish">;
  clock: Clock;
  report: Report;
}

/**
 * Announces and queues what a person has just allowed, which the row holds already. It waited for its answer without a
 * slot, so it gets one now however many wait. Never rejects: what is not queued here, a sweep finds.
 */
export async function letRun(
  deps: LetRunDeps,
  admission: Admission,
  call: AnsweredCall,
  { answer, by }: PersonsAnswer,
): Promise<void> {
  const { tenantId, executionId, attempt } = admission;
  const at = deps.clock().toISOString();
  await deps.stream
    .append(tenantId, [
      { type: "execution.queued", id: announcingEventId(attempt), executionId, attempt, at },
    ])
    .catch((error: unknown) => deps.report("announcing an execution failed", error));
  await deps.queue
    .admit([admission])
    .catch((error: unknown) =>
      deps.report("queueing an allowed execution failed; a sweep will do it", error),
    );
  await tellAnswer(deps, call, answer, by);
}
