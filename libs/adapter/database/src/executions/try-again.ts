import { EXECUTION_ATTEMPTS_MAX, type AttemptKey } from "@bulkhead/domain";
import type { PrismaClient } from "../generated/client.ts";

/** The next attempt, for the holder of this one, where that can't do an effect twice. */
export async function tryAgain(
  client: PrismaClient,
  { executionId, tenantId, attempt }: AttemptKey,
  leaseMs: number,
): Promise<boolean> {
  const moved = await client.$executeRaw`
    UPDATE executions SET attempt = attempt + 1, effects = false, started_at = now(),
      lease_until = now() + ${leaseMs}::float8 * interval '1 ms'
    WHERE id = ${executionId} AND tenant_id = ${tenantId} AND status = 'running' AND attempt = ${attempt}::int
      AND attempt < ${EXECUTION_ATTEMPTS_MAX}::int AND (NOT effects OR idempotent)`;
  return moved === 1;
}
