import type {
  NewSchedule,
  PlannedRun,
  Schedule,
  ScheduleKey,
  ScheduleRun,
  ScheduleTerms,
} from "@bulkhead/core";
import { Prisma, type PrismaClient } from "../generated/client.ts";
import { jsonInput } from "../stored-json.ts";
import { SCHEDULE_COLUMNS, toSchedule, type ScheduleRow } from "./schedule-row.ts";

const COLUMNS = Prisma.raw(SCHEDULE_COLUMNS);

/** Null where the tenant has `schedulesMax` of them. In SQL, for the lock and for the arguments as the caller wrote them. */
export async function createSchedule(
  client: PrismaClient,
  schedule: NewSchedule,
  schedulesMax: number,
): Promise<Schedule | null> {
  const { tenantId } = schedule;
  const values = termsOf(schedule);
  const [, rows] = await client.$transaction([
    // Those who make one at the same time count one after the other. It locks out no insert that refers to the tenant.
    client.$queryRaw`SELECT id FROM tenants WHERE id = ${tenantId} FOR NO KEY UPDATE`,
    client.$queryRaw<ScheduleRow[]>`
      WITH s AS (
        INSERT INTO schedules (id, tenant_id, created_by, created_at, updated_at, next_runs, ${Prisma.join(values.map(({ name }) => name))})
        SELECT ${schedule.scheduleId}, ${tenantId}, ${schedule.createdBy}, ${schedule.createdAt}::timestamptz,
          ${schedule.createdAt}::timestamptz, ${moments(schedule.nextRuns)}, ${Prisma.join(values.map(({ value }) => value))}
        WHERE (SELECT count(*) FROM schedules WHERE tenant_id = ${tenantId}) < ${schedulesMax}::int
        RETURNING *
      )
      SELECT ${COLUMNS} FROM s`,
  ]);
  return rows[0] ? toSchedule(rows[0]) : null;
}

/** Null when it is gone or has another revision. In SQL, for the arguments as the caller wrote them. */
export async function updateSchedule(
  client: PrismaClient,
  { tenantId, scheduleId }: ScheduleKey,
  revision: number,
  terms: ScheduleTerms,
  nextRuns: Date[] | null,
): Promise<Schedule | null> {
  const sets = termsOf(terms).map(({ name, value }) => Prisma.sql`${name} = ${value}`);
  if (terms.status === "paused") sets.push(Prisma.sql`waiting_since = NULL`);
  if (nextRuns !== null) sets.push(Prisma.sql`next_runs = ${moments(nextRuns)}`);
  const [row] = await client.$queryRaw<ScheduleRow[]>`
    WITH s AS (
      UPDATE schedules SET ${Prisma.join(sets)}, revision = revision + 1, updated_at = now()
      WHERE id = ${scheduleId} AND tenant_id = ${tenantId} AND revision = ${revision}::int
      RETURNING *
    )
    SELECT ${COLUMNS} FROM s`;
  return row ? toSchedule(row) : null;
}

/** False when the run was settled by another or the plan was changed. */
export async function settleRun(
  client: PrismaClient,
  { tenantId, scheduleId: id }: ScheduleKey,
  plannedAt: Date,
  run: PlannedRun | null,
  nextRuns: Date[],
): Promise<boolean> {
  const settled = await client.schedule.updateMany({
    where: { id, tenantId, status: "active", nextRunAt: plannedAt },
    data: { ...(run && recorded(run)), nextRuns },
  });
  if (settled.count === 1) return true;
  // One that was paused meanwhile has nothing to wait for.
  const isIdle = run === null || "waitingSince" in run;
  const { count } = await client.schedule.updateMany({
    where: { id, tenantId, status: "paused" },
    data: isIdle ? { waitingSince: null } : recorded(run),
  });
  return count === 1;
}

export async function recordRun(
  client: PrismaClient,
  { tenantId, scheduleId: id }: ScheduleKey,
  run: ScheduleRun,
): Promise<void> {
  await client.schedule.updateMany({ where: { id, tenantId }, data: recorded(run) });
}

/** False when another has settled it, or it waits no more. */
export async function settleWaiting(
  client: PrismaClient,
  { tenantId, scheduleId: id }: ScheduleKey,
  waitingSince: Date,
  run: ScheduleRun,
): Promise<boolean> {
  const { count } = await client.schedule.updateMany({
    where: { id, tenantId, waitingSince },
    data: { ...recorded(run), waitingSince: null },
  });
  return count === 1;
}

function recorded(run: PlannedRun): Prisma.ScheduleUpdateManyMutationInput {
  if ("error" in run) return { lastError: jsonInput(run.error) };
  if ("skippedAt" in run) return { skippedRuns: { increment: 1 }, lastSkippedAt: run.skippedAt };
  if ("waitingSince" in run) return { waitingSince: run.waitingSince };
  return { lastRunAt: run.at, lastExecutionId: run.executionId, lastError: Prisma.DbNull };
}

/** The columns of what the owner decides. */
function termsOf(terms: ScheduleTerms): { name: Prisma.Sql; value: Prisma.Sql }[] {
  const { plan } = terms;
  const every = plan.type === "every" ? plan : null;
  const cron = plan.type === "cron" ? plan : null;
  const columns: Record<string, Prisma.Sql> = {
    name: Prisma.sql`${terms.name}::text`,
    tool_id: Prisma.sql`${terms.toolId}`,
    tool_name: Prisma.sql`${terms.toolName}`,
    arguments: Prisma.sql`${JSON.stringify(terms.arguments)}::json`,
    context: Prisma.sql`${JSON.stringify(terms.context)}::json`,
    priority: Prisma.sql`${terms.priority}::smallint`,
    timeout_ms: Prisma.sql`${terms.timeoutMs}::int`,
    cron: Prisma.sql`${cron?.cron ?? null}::text`,
    time_zone: Prisma.sql`${cron?.timeZone ?? null}::text`,
    every_ms: Prisma.sql`${every?.everyMs ?? null}::bigint`,
    anchor_at: Prisma.sql`${every?.anchorAt ?? null}::timestamptz`,
    missed_runs: Prisma.sql`${terms.missedRuns}`,
    overlap: Prisma.sql`${terms.overlap}`,
    status: Prisma.sql`${terms.status}`,
    status_reason: Prisma.sql`${terms.statusReason}::text`,
  };
  return Object.entries(columns).map(([name, value]) => ({ name: Prisma.raw(name), value }));
}

const moments = (runs: Date[]): Prisma.Sql =>
  Prisma.sql`${runs.map((run) => run.toISOString())}::timestamptz[]`;
