import { BatchCall, readInput, type ExecuteBatch } from "@bulkhead/contracts";
import { BATCH_SIZE_MAX, Fault } from "@bulkhead/core";
import type { FastifyRequest } from "fastify";
import { z } from "zod";

/** A batch whose calls may be anything. */
const AnyBatch = z.strictObject({ executions: z.array(z.unknown()).min(1).max(BATCH_SIZE_MAX) });

/**
 * The calls of a batch, each judged by itself: one that breaks the contract is the fault that says so, and stops no other.
 * The route needs `attachValidation`, which leaves a body's fault to this. Throws what is wrong with the rest of the
 * request.
 */
export function readBatchCalls(
  request: Pick<
    FastifyRequest<{ Body: z.infer<typeof ExecuteBatch> }>,
    "body" | "validationError" | "inexactCalls"
  >,
): (z.infer<typeof BatchCall> | Fault)[] {
  const calls = readCalls(request);
  const { inexactCalls } = request;
  if (!inexactCalls?.size) return calls;
  return calls.map((call, at) => (call instanceof Fault ? call : (inexactCalls.get(at) ?? call)));
}

function readCalls({
  validationError,
  body,
}: Pick<FastifyRequest<{ Body: z.infer<typeof ExecuteBatch> }>, "body" | "validationError">) {
  if (validationError === undefined) return body.executions;
  const batch = AnyBatch.safeParse(body);
  if (validationError.validationContext !== "body" || !batch.success) throw validationError;
  return batch.data.executions.map(readCall);
}

function readCall(call: unknown): z.infer<typeof BatchCall> | Fault {
  const { value, faults: errors } = readInput(BatchCall, call);
  if (errors === null) return value;
  const [first] = errors;
  const where = first?.path ? `${first.path}: ` : "";
  return new Fault("request.invalid", {
    detail: `The call is not valid: ${where}${first?.message}.`,
    errors,
  });
}
