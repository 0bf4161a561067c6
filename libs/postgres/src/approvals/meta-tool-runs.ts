import type { MetaToolApprovalKey, MetaToolOutcome, MetaToolRun } from "@bulkhead/core";
import type { PrismaClient } from "../generated/client.ts";
import { COLUMNS, toMetaToolApproval, type MetaToolApprovalRow } from "./meta-tool-approval-row.ts";

/** Of several who claim at once one gets it. */
export async function claimRun(
  client: PrismaClient,
  { tenantId, approvalId }: MetaToolApprovalKey,
  leaseMs: number,
): Promise<MetaToolRun | null> {
  const [row] = await client.$queryRaw<MetaToolApprovalRow[]>`
    UPDATE meta_tool_approvals AS m
    SET runs = m.runs + 1, lease_until = now() + ${leaseMs}::int * interval '1 ms'
    WHERE m.id = ${approvalId} AND m.tenant_id = ${tenantId} AND m.answer = 'allow_once' AND m.outcome IS NULL
      AND (m.lease_until IS NULL OR m.lease_until <= now())
    RETURNING ${COLUMNS}`;
  return row ? { approval: toMetaToolApproval(row), run: row.runs } : null;
}

export async function listUndone(
  client: PrismaClient,
  forMs: number,
  limit: number,
): Promise<MetaToolApprovalKey[]> {
  const rows = await client.$queryRaw<{ id: string; tenant_id: string }[]>`
    SELECT id, tenant_id FROM meta_tool_approvals
    WHERE answer = 'allow_once' AND outcome IS NULL AND (lease_until IS NULL OR lease_until <= now())
      AND answered_at <= now() - ${forMs}::int * interval '1 millisecond'
    ORDER BY id LIMIT ${limit}::int`;
  return rows.map((row) => ({ approvalId: row.id, tenantId: row.tenant_id }));
}

/** The number of the run is its fencing token: who lost its lease says nothing any more. */
export async function finishRun(
  client: PrismaClient,
  { tenantId, approvalId }: MetaToolApprovalKey,
  run: number,
  outcome: MetaToolOutcome,
): Promise<boolean> {
  const done = await client.$executeRaw`
    UPDATE meta_tool_approvals SET outcome = ${JSON.stringify(outcome)}::json, lease_until = NULL
    WHERE id = ${approvalId} AND tenant_id = ${tenantId} AND outcome IS NULL AND runs = ${run}::int`;
  return done === 1;
}
