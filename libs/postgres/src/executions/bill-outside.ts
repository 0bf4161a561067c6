import { outsiderEndEventId, type AttemptKey, type ExecutionStatus, type LateBill } from "@bulkhead/core";
import type { PrismaClient } from "../generated/client.ts";
import { is } from "./by-id.ts";

/** How an execution can be ended from outside under a holder that still holds it: one that is lost has none any more. */
const ENDED_UNDER_A_HOLDER: readonly ExecutionStatus[] = ["cancelled", "timed_out"];

// Nobody's layer is on it yet: it was ended from outside, while this very attempt ran, and nobody has billed it.
export const BILL_OUTSIDE = `/* executions.bill_outside */
UPDATE executions SET usage = $4::json, timings = $5::json, ended_by = $6
WHERE id = $1 AND ${is("tenant_id", "$2")} AND attempt = $3::int AND status = ANY($7::text[])
  AND started_at IS NOT NULL AND ended_by IS NULL AND end_event_id = $8`;

/** True where it was billed; a second time it is not. */
export async function billOutside(
  client: PrismaClient,
  { executionId, tenantId, attempt }: AttemptKey,
  { usage, timings, endedBy }: LateBill,
): Promise<boolean> {
  const billed = await client.$executeRawUnsafe(
    BILL_OUTSIDE,
    executionId,
    tenantId,
    attempt,
    JSON.stringify(usage),
    JSON.stringify(timings),
    endedBy,
    ENDED_UNDER_A_HOLDER,
    outsiderEndEventId(attempt),
  );
  return billed === 1;
}
