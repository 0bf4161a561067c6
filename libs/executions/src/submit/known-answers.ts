import type { ExecutionStatus, ExecutionStore, IdempotencyKey, TenantPrincipal, Fault } from "@bulkhead/core";
import type { NewCall } from "./build-execution.ts";
import { keyConflict, whyNotAnswered } from "./idempotency.ts";
import { inTurns } from "./in-turns.ts";

export interface KnownAnswersDeps {
  executions: Pick<ExecutionStore, "find" | "findByKeys">;
}

/** The answer to a call whose key stands for an execution already. */
export interface KnownAnswer {
  executionId: string;
  status: ExecutionStatus;
  repeated: true;
}

/**
 * The executions that the calls' keys stand for already, each in its call's place; a fault where that was deleted. Throws
 * `idempotency.conflict` where a key stands for another call, or the key of the request that a call is a part of for another
 * request.
 */
export async function knownAnswers(
  { executions }: KnownAnswersDeps,
  { tenantId }: TenantPrincipal,
  calls: readonly (Pick<NewCall, "once"> | null)[],
): Promise<(KnownAnswer | Fault | undefined)[]> {
  const keys = calls.flatMap((call) => (call?.once ? [call.once, ...requestOf(call.once)] : []));
  if (keys.length === 0) return [];
  const known = await executions.findByKeys(tenantId, keys);
  return inTurns(calls, async (call) => {
    if (!call?.once) return undefined;
    if (known.get(call.once.partOf ?? "")?.sameBody === false) throw keyConflict();
    const found = known.get(call.once.key);
    if (!found) return undefined;
    const fault = whyNotAnswered(found);
    if (fault?.code === "idempotency.conflict") throw fault;
    if (fault) return fault;
    const { executionId } = found;
    const execution = await executions.find({ tenantId, executionId });
    // It came in one transaction with its key: one that is not there any more was deleted between the two looks.
    if (!execution) return whyNotAnswered({ ...found, isDeleted: true }) ?? undefined;
    return { executionId, status: execution.status, repeated: true };
  });
}

/** The key of the request that a call is a part of, if it is one. */
const requestOf = ({ partOf, bodyHash }: IdempotencyKey): IdempotencyKey[] =>
  partOf === undefined ? [] : [{ key: partOf, bodyHash }];
