import {
  type ExecutionStore,
  type IdempotencyKey,
  type KnownCall,
  type NewExecution,
  Fault,
} from "@bulkhead/core";

/**
 * Null for the first use of a key, and for no key; else the execution that the first use had. Throws what `sameCall`
 * throws.
 */
export async function firstUse(
  { executions }: { executions: Pick<ExecutionStore, "findByKey"> },
  tenantId: string,
  once: IdempotencyKey | null,
): Promise<string | null> {
  const known = once && (await executions.findByKey(tenantId, once));
  return known && sameCall(known);
}

/**
 * The execution that a key stands for, where the same call asks for it again. Throws `idempotency.conflict` and
 * `idempotency.execution_deleted`.
 */
function sameCall(known: KnownCall): string {
  const fault = whyNotAnswered(known);
  if (fault) throw fault;
  return known.executionId;
}

/** Why a call with this key is not answered with what the key stands for; it is not run again either. */
export function whyNotAnswered({ sameBody, isDeleted }: KnownCall): Fault | null {
  if (!sameBody) return keyConflict();
  return isDeleted
    ? new Fault("idempotency.execution_deleted", {
        detail:
          "The call was accepted with this Idempotency-Key, and its execution was deleted since. A repeat does not run it again; a new call needs a key of its own.",
      })
    : null;
}

/** The `idempotency.conflict` of a key that was used for another call. */
export const keyConflict = (): Fault =>
  new Fault("idempotency.conflict", {
    detail: "This Idempotency-Key stands for a call with another body; a new call needs a key of its own.",
  });

/**
 * `firstUse` for a call that was refused with `error`: the limit that it met may be the one that the first call with its key
 * took up meanwhile. Throws `error` where the call is no repeat.
 */
export async function firstUseInstead(
  deps: { executions: Pick<ExecutionStore, "findByKey"> },
  tenantId: string,
  once: IdempotencyKey | null,
  error: unknown,
): Promise<string> {
  const known = isRefusal(error) ? await firstUse(deps, tenantId, once) : null;
  if (known === null) throw error;
  return known;
}

/** Whether the error is a refusal of the call, and no failure. */
export const isRefusal = (error: unknown): error is Fault => error instanceof Fault && error.status < 500;

/** Null where it was inserted; else the execution that an earlier call with its key had. Throws what `sameCall` throws. */
export async function insertOnce(
  { executions }: { executions: Pick<ExecutionStore, "insert" | "insertOnce"> },
  { execution, once }: { execution: NewExecution; once: IdempotencyKey | null },
): Promise<string | null> {
  if (once === null) {
    await executions.insert(execution);
    return null;
  }
  const [inserted] = await executions.insertOnce([{ execution, once }]);
  return inserted?.outcome === "known" ? sameCall(inserted) : null;
}
