import type { PolicyDocument, PolicyStore } from "@bulkhead/core";
import type { PrismaClient } from "../generated/client.ts";
import { faulting } from "../sql-trouble.ts";
import { readObject, type Json } from "../stored-json.ts";

/** Tenants' documents in PostgreSQL, beside the tenant's row. What it throws is a Fault. */
export const openPolicyStore = (client: PrismaClient): PolicyStore => ({
  find: (tenantId) =>
    faulting(async () => {
      const row = await client.tenant.findUnique({
        where: { id: tenantId },
        select: { policy: true, policyVersion: true },
      });
      return row && { version: row.policyVersion, document: readPolicy(row.policy) };
    }),
  put: (tenantId, document, seen) => faulting(() => putPolicy(client, tenantId, document, seen)),
});

/** In SQL, for what was there before in one step: of two changes at once each tells what it has changed. */
async function putPolicy(
  client: PrismaClient,
  tenantId: string,
  document: PolicyDocument,
  seen: readonly number[] | null,
): ReturnType<PolicyStore["put"]> {
  const [row] = await client.$queryRaw<{ before: Json; version: number }[]>`/* policies.put */
    WITH old AS (
      SELECT id, policy, policy_version FROM tenants WHERE id = ${tenantId} AND deleting_at IS NULL FOR UPDATE
    )
    UPDATE tenants AS n SET policy = ${JSON.stringify(document)}::jsonb, policy_version = old.policy_version + 1
    FROM old WHERE n.id = old.id AND (${seen === null}::boolean OR old.policy_version = ANY(${[...(seen ?? [])]}::int[]))
    RETURNING old.policy AS before, n.policy_version AS version`;
  return row ? { before: readPolicy(row.before), version: row.version } : null;
}

/** It was checked when it was put, by this build or another one. */
const readPolicy = (json: Json): PolicyDocument => readObject(json);
