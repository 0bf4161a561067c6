import {
  type ExecutionKey,
  type NewStanding,
  type PersonsAnswer,
  type StandingApproval,
  type ToolScope,
  approvalIdOf,
  Fault,
} from "@bulkhead/core";
import { Prisma, type PrismaClient } from "../generated/client.ts";
import { isThere } from "../tools/in-scope.ts";

type Client = Pick<PrismaClient, "$queryRaw" | "$executeRaw">;

interface StandingRow {
  id: string;
  tenant_id: string;
  tool_id: string;
  tool_name: string;
  tool_version: number;
  argument: string | null;
  pattern: string | null;
  approval_id: string;
  created_by: string;
  created_at: Date;
}

const toPattern = ({ argument, pattern }: Pick<StandingRow, "argument" | "pattern">) =>
  pattern === null ? null : { argument, pattern };

const toStanding = (row: StandingRow): StandingApproval => ({
  standingId: row.id,
  tenantId: row.tenant_id,
  toolId: row.tool_id,
  toolName: row.tool_name,
  toolVersion: row.tool_version,
  pattern: toPattern(row),
  approvalId: row.approval_id,
  createdBy: row.created_by,
  createdAt: row.created_at,
});

/**
 * For the tool and version of this execution; within the transaction that allows it. What was said before is kept, and
 * for a tool that is gone there is nothing to remember. Throws `approval.too_many_standing`.
 */
export async function rememberStanding(
  client: Client,
  { tenantId, executionId }: ExecutionKey,
  { by }: PersonsAnswer,
  { standingId, pattern }: NewStanding,
  standingMax: number,
): Promise<void> {
  // Those who remember one at the same time count one after the other.
  await client.$queryRaw`SELECT id FROM tenants WHERE id = ${tenantId} FOR NO KEY UPDATE`;
  await client.$executeRaw`
    INSERT INTO standing_approvals (id, tenant_id, tool_id, tool_version, argument, pattern, approval_id, created_by)
    SELECT ${standingId}, e.tenant_id, t.id, e.tool_version, ${pattern?.argument ?? null}::text,
      ${pattern?.pattern ?? null}::text, ${approvalIdOf(executionId)}, ${by}
    FROM executions AS e JOIN tools AS t ON t.id = e.tool_id AND t.tenant_id = e.tenant_id
    WHERE e.id = ${executionId} AND e.tenant_id = ${tenantId}
    ON CONFLICT DO NOTHING`;
  const [row] = await client.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM standing_approvals WHERE tenant_id = ${tenantId}`;
  if ((row?.count ?? 0) > standingMax) {
    throw new Fault("approval.too_many_standing", {
      detail: `A tenant may have ${standingMax} standing approvals; revoke some, or allow this call once.`,
    });
  }
}

/** Nothing for a version that does not serve any more: what was said of it was said before the tool was changed. */
export async function standingOf(client: Client, tenantId: string, toolId: string, version: number) {
  const rows = await client.$queryRaw<Pick<StandingRow, "argument" | "pattern">[]>`
    SELECT s.argument, s.pattern FROM standing_approvals AS s
    JOIN tools AS t ON t.id = s.tool_id AND t.version = s.tool_version
    WHERE s.tool_id = ${toolId} AND s.tool_version = ${version}::int AND s.tenant_id = ${tenantId}`;
  return rows.map((row) => ({ pattern: toPattern(row) }));
}

/** By time of creation, then id; the one that a page goes on behind must still be there, and seen, else it is empty. */
export async function listStanding(
  client: Client,
  tenantId: string,
  page: { scope: ToolScope; before?: string; limit: number },
): Promise<StandingApproval[]> {
  const seen = isThere(page.scope);
  const behind =
    page.before === undefined
      ? Prisma.sql`true`
      : Prisma.sql`(s.created_at, s.id) < (SELECT last.created_at, last.id
          FROM standing_approvals AS last JOIN tools AS t ON t.id = last.tool_id
          WHERE last.id = ${page.before} AND last.tenant_id = ${tenantId} AND ${seen})`;
  const rows = await client.$queryRaw<StandingRow[]>`
    SELECT s.*, t.name AS tool_name FROM standing_approvals AS s JOIN tools AS t ON t.id = s.tool_id
    WHERE s.tenant_id = ${tenantId} AND ${seen} AND ${behind}
    ORDER BY s.created_at DESC, s.id DESC LIMIT ${page.limit}::int`;
  return rows.map(toStanding);
}

export async function deleteStanding(client: Client, tenantId: string, standingId: string): Promise<boolean> {
  const gone = await client.$executeRaw`
    DELETE FROM standing_approvals WHERE id = ${standingId} AND tenant_id = ${tenantId}`;
  return gone === 1;
}
