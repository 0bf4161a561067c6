import { EXECUTION_ID, TENANT_ID, type AttemptKey } from "@bulkhead/domain";

/** `<execution id>-<attempt>`: the member of our sets and BullMQ's job id, so that adding twice is harmless. */
export const attemptName = ({ executionId, attempt }: AttemptKey): string => `${executionId}-${attempt}`;

/** The reverse of `<tenant>|<attempt name>`, as the steps return it. Throws on anything else: then a key was tampered with. */
export function parseHandedOut(text: string): AttemptKey {
  const [, tenantId = "", executionId = "", attempt = ""] = /^([^|]+)\|(.+)-(\d{1,15})$/.exec(text) ?? [];
  const key = { tenantId, executionId, attempt: Number(attempt) };
  if (!isAttemptKey(key)) throw new Error(`not an attempt in the dispatcher's keys: ${text.slice(0, 100)}`);
  return key;
}

/** Whether a value from Redis names an attempt. */
export function isAttemptKey(value: unknown): value is AttemptKey {
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
    Number.isSafeInteger(value.attempt)
  );
}
