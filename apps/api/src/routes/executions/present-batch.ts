import type { BatchAnswer } from "@bulkhead/executions";
import { Fault } from "@bulkhead/core";

/** What became of one call of a batch, as outsiders see it. */
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
