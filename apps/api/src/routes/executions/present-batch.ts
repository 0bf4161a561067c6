import type { BatchAnswer } from "@bulkhead/executions";
import { Fault } from "@bulkhead/core";
import type { ApiScope } from "../../edge/route-schema.ts";

/** Shows the outcome of one call of a batch. */
export const presentBatchAnswer = (answer: BatchAnswer) =>
  answer instanceof Fault
    ? { error: presentFault(answer) }
    : { executionId: answer.executionId, status: answer.status };

const presentFault = ({ code, title, detail, retryable, retryAfterSeconds, errors }: Fault) => ({
  code,
  title,
  detail,
  retryable,
  retryAfterSeconds,
  errors: errors.length > 0 ? errors : undefined,
});

/** A call that was refused is a refusal, also where the batch around it was answered 202. */
export function countRefused({ metrics }: ApiScope, answered: BatchAnswer[]): void {
  for (const answer of answered) if (answer instanceof Fault) metrics.refused(answer.code);
}
