import type { Execution, ExecutionKey, ExecutionPage, Json, SweptExecution } from "@bulkhead/domain";
import { Prisma, type PrismaClient } from "../generated/client.ts";
import { toSwept } from "./end-executions.ts";
import { EXECUTION_COLUMNS, toExecution, type ExecutionRow } from "./execution-row.ts";

const FIND = `/* executions.find */
SELECT ${EXECUTION_COLUMNS} FROM executions AS e WHERE e.id = $1 AND e.tenant_id = $2`;

export async function findExecution(
  client: PrismaClient,
  { executionId, tenantId }: ExecutionKey,
): Promise<Execution | null> {
  const [row] = await client.$queryRawUnsafe<ExecutionRow[]>(FIND, executionId, tenantId);
  return row ? toExecution(row) : null;
}

/** Newest first, by the time-ordered id: a page goes on where the one before ended, whatever was added since. */
export async function listExecutions(
  client: PrismaClient,
  tenantId: string,
  page: ExecutionPage,
): Promise<Execution[]> {
  const conditions = [
    Prisma.sql`e.tenant_id = ${tenantId}`,
    ...(page.before === undefined ? [] : [Prisma.sql`e.id < ${page.before}`]),
    ...(page.status === undefined ? [] : [Prisma.sql`e.status = ${page.status}`]),
    ...(page.toolId === undefined ? [] : [Prisma.sql`e.tool_id = ${page.toolId}`]),
    ...(page.toolName === undefined ? [] : [Prisma.sql`e.tool_name = ${page.toolName}`]),
  ];
  const rows = await client.$queryRaw<ExecutionRow[]>`
    SELECT ${Prisma.raw(EXECUTION_COLUMNS)} FROM executions AS e
    WHERE ${Prisma.join(conditions, " AND ")}
    ORDER BY e.id DESC LIMIT ${page.limit}::int`;
  return rows.map(toExecution);
}

const LIST_QUEUED = `/* executions.list_queued */
SELECT e.id, e.tenant_id, e.attempt, n.limits
FROM executions AS e LEFT JOIN tenants AS n ON n.id = e.tenant_id
WHERE e.status = 'queued' AND e.id > $1 AND e.queued_at <= now() - $2::float8 * interval '1 ms'
ORDER BY e.id LIMIT $3::int`;

/** Queued without a break for longer than `olderThanMs`, as the attempts that are to be handed out. */
export async function listQueued(
  client: PrismaClient,
  olderThanMs: number,
  after: string | null,
  limit: number,
): Promise<SweptExecution[]> {
  type Row = { id: string; tenant_id: string; attempt: number; limits: Json };
  const rows = await client.$queryRawUnsafe<Row[]>(LIST_QUEUED, after ?? "", olderThanMs, limit);
  return rows.map(toSwept);
}
