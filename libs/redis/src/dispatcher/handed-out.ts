import { EXECUTION_ID, TENANT_ID, type AttemptKey } from "@bulkhead/core";

/** An attempt that has its turn. */
export interface HandedOut extends AttemptKey {
  /**
   * For how long its tenant's limits had allowed a start before it was handed out, in milliseconds by Redis's clock: the
   * wait that more workers would have shortened. Known of one start of a tenant at a time, always where only one waits.
   */
  startableMs?: number;
  /** It held its slot before: another worker may run it, or have died of it. */
  again?: true;
}

/** Whether a value from Redis names an attempt. */
export function isAttemptKey(value: unknown): value is HandedOut {
  return (
    typeof value === "object" &&
    value !== null &&
    "tenantId" in value &&
    typeof value.tenantId === "string" &&
    TENANT_ID.test(value.tenantId) &&
    "executionId" in value &&
    typeof value.executionId === "string" &&
    EXECUTION_ID.test(value.executionId) &&
    "attempt" in value &&
    Number.isSafeInteger(value.attempt) &&
    (!("again" in value) || value.again === true) &&
    (!("startableMs" in value) || (Number.isSafeInteger(value.startableMs) && Number(value.startableMs) >= 0))
  );
}
