import {
  announcingEventId,
  type Admission,
  type Approval,
  type Clock,
  type EventStream,
  type ExecutionQueue,
  type PersonsAnswer,
  type TenantEvents,
} from "@bulkhead/core";
import type { Report } from "./report.ts";
import { tellAnswer, tellBehindAsked, type AnsweredCall } from "../follow/tell-answer.ts";

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
  call: AnsweredCall & Pick<Approval, "askedEventId" | "expiresAt">,
  { answer, by }: PersonsAnswer,
): Promise<void> {
  const { executionId, attempt } = admission;
  const at = deps.clock().toISOString();
  const queued = {
    type: "execution.queued",
    id: announcingEventId(attempt),
    executionId,
    attempt,
    at,
  } as const;
  await tellBehindAsked(deps, admission, call, queued).catch((error: unknown) =>
    deps.report("announcing an execution failed", error),
  );
  await deps.queue
    .admit([admission])
    .catch((error: unknown) =>
      deps.report("queueing an allowed execution failed; a sweep will do it", error),
    );
  await tellAnswer(deps, call, answer, by);
}
