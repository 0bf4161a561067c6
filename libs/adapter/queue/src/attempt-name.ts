import { EXECUTION_ID, TENANT_ID, type AttemptKey } from "@bulkhead/domain";

/** `<execution id>-<attempt>`: the member of our sets and BullMQ's job id, so that adding twice is harmless. */
export const attemptName = ({ executionId, attempt }: AttemptKey): string => `${executionId}-${attempt}`;

/** An attempt that has its turn. */
export interface HandedOut extends AttemptKey {
  /**
   * For how long its tenant's limits had allowed a start before it was handed out, in milliseconds by Redis's clock: the
   * wait that more workers would have shortened. Known of one start of a tenant at a time, always where only one waits.
   */
  startableMs?: number;
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
    (!("startableMs" in value) || (Number.isSafeInteger(value.startableMs) && Number(value.startableMs) >= 0))
  );
}
