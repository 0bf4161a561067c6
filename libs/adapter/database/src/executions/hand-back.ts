import type { AttemptKey } from "@bulkhead/domain";
import type { PrismaClient } from "../generated/client.ts";

/** Running back to queued for the holder of the attempt, where that can't do an effect twice. */
export async function handBack(
  client: PrismaClient,
  { executionId, tenantId, attempt }: AttemptKey,
): Promise<"queued" | "kept" | "gone"> {
  const moved = await client.$executeRaw`
    UPDATE executions SET status = 'queued', lease_until = NULL, started_at = NULL, queued_at = now()
    WHERE id = ${executionId} AND tenant_id = ${tenantId} AND status = 'running' AND attempt = ${attempt}::int
      AND (NOT effects OR idempotent)`;
  if (moved === 1) return "queued";
  // A second statement, since one alone would see the row as it was before whoever it had waited for.
  const held = await client.execution.count({
    where: { id: executionId, tenantId, status: "running", attempt },
  });
  return held === 1 ? "kept" : "gone";
}
