import {
  type ExecutionKey,
  type NewStanding,
  type PersonsAnswer,
  type StandingApproval,
  type StandingUses,
  type ToolScope,
  approvalIdOf,
  Fault,
} from "@bulkhead/core";
import { columns } from "../columns.ts";
import { Prisma, type PrismaClient } from "../generated/client.ts";
import { isThere } from "../tools/in-scope.ts";

const FIELDS = {
  tenantId: true,
  toolId: true,
  toolVersion: true,
  approvalId: true,
  createdBy: true,
  createdAt: true,
  uses: true,
  lastUsedAt: true,
} as const satisfies Prisma.StandingApprovalSelect;

const PATTERN = { argument: true, pattern: true } as const satisfies Prisma.StandingApprovalSelect;
const COLUMNS = Prisma.raw(columns("s", { ...FIELDS, ...PATTERN }));
type PatternRow = Prisma.StandingApprovalGetPayload<{ select: typeof PATTERN }>;

type StandingRow = Omit<StandingApproval, "pattern"> & PatternRow;

const toPattern = ({ argument, pattern }: PatternRow) => (pattern === null ? null : { argument, pattern });

const toStanding = ({ argument, pattern, ...row }: StandingRow): StandingApproval => ({
  ...row,
  pattern: toPattern({ argument, pattern }),
});

/**
 * For the tool and version of this execution; within the transaction that allows it. What was said before is kept, and
 * for a tool that is gone there is nothing to remember. Throws `approval.too_many_standing`.
 */
export async function rememberStanding(
  transaction: Prisma.TransactionClient,
  { tenantId, executionId }: ExecutionKey,
  { by }: PersonsAnswer,
  { standingId, pattern }: NewStanding,
  standingMax: number,
): Promise<void> {
  // Those who remember one at the same time count one after the other. In SQL for the lock.
  await transaction.$queryRaw`SELECT id FROM tenants WHERE id = ${tenantId} FOR NO KEY UPDATE`;
  // In SQL, since the tool may go between a look and a change.
  await transaction.$executeRaw`
    INSERT INTO standing_approvals (id, tenant_id, tool_id, tool_version, argument, pattern, approval_id, created_by)
    SELECT ${standingId}, e.tenant_id, t.id, e.tool_version, ${pattern?.argument ?? null}::text,
      ${pattern?.pattern ?? null}::text, ${approvalIdOf(executionId)}, ${by}
    FROM executions AS e JOIN tools AS t ON t.id = e.tool_id AND t.tenant_id = e.tenant_id
    WHERE e.id = ${executionId} AND e.tenant_id = ${tenantId}
    ON CONFLICT DO NOTHING`;
  if ((await transaction.standingApproval.count({ where: { tenantId } })) > standingMax) {
    throw new Fault("approval.too_many_standing", {
      detail: `A tenant may have ${standingMax} standing approvals; revoke some, or allow this call once.`,
    });
  }
}

/** Nothing for a version that does not serve any more: what was said of it was said before the tool was changed. */
export async function standingOf(client: PrismaClient, tenantId: string, toolId: string, version: number) {
  const rows = await client.standingApproval.findMany({
    where: { tenantId, toolId, toolVersion: version, tool: { version } },
    select: { id: true, ...PATTERN },
    orderBy: { id: "asc" },
  });
  return rows.map(({ id, ...row }) => ({ standingId: id, pattern: toPattern(row) }));
}

/** In the order of ids, so that two who count at the same time never wait for each other. */
export async function countStandingUses(client: PrismaClient, uses: StandingUses): Promise<void> {
  const said = [...uses].map(([id, { count, at }]) => ({ id, count, at: at.toISOString() }));
  await client.$executeRaw`
    WITH due AS (
      SELECT s.id, u.count, u.at
      FROM json_to_recordset(${JSON.stringify(said)}::json) AS u(id text, count int, at timestamptz)
      JOIN standing_approvals AS s ON s.id = u.id
      ORDER BY s.id FOR NO KEY UPDATE OF s
    )
    UPDATE standing_approvals AS s
    SET uses = least(s.uses::bigint + due.count, ${USES_MAX}::bigint)::int, last_used_at = greatest(s.last_used_at, due.at)
    FROM due WHERE s.id = due.id`;
}

/** What the column holds at most. */
const USES_MAX = 2 ** 31 - 1;

/**
 * By time of creation, then id; the one that a page goes on behind must still be there, and seen, else it is empty. In SQL,
 * since the client would read the tools' names in a second statement, and fail where one has gone between the two.
 */
export async function listStanding(
  client: PrismaClient,
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
    SELECT s.id AS "standingId", ${COLUMNS}, t.name AS "toolName" FROM standing_approvals AS s JOIN tools AS t ON t.id = s.tool_id
    WHERE s.tenant_id = ${tenantId} AND ${seen} AND ${behind}
    ORDER BY s.created_at DESC, s.id DESC LIMIT ${page.limit}::int`;
  return rows.map(toStanding);
}

export async function deleteStanding(client: PrismaClient, tenantId: string, id: string): Promise<boolean> {
  return (await client.standingApproval.deleteMany({ where: { id, tenantId } })).count === 1;
}
