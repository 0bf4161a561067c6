import { strict as assert } from "node:assert";
import {
  SCHEDULE_OPEN_RUNS_MAX,
  SCHEDULES_PER_OWNER_MAX,
  type DueCursor,
  type Schedule,
  type ScheduleKey,
  type ScheduleStore,
  type ToolScope,
} from "@bulkhead/core";
import { Prisma, type PrismaClient } from "../generated/client.ts";
import { faulting } from "../sql-trouble.ts";
import { isThere } from "../tools/in-scope.ts";
import { PLAN_FIELDS, SCHEDULE_COLUMNS, toPlanned, toSchedule, type ScheduleRow } from "./schedule-row.ts";
import {
  createSchedule,
  isOwnedBy,
  recordRun,
  settleRun,
  settleWaiting,
  updateSchedule,
} from "./write-schedules.ts";

const COLUMNS = Prisma.raw(SCHEDULE_COLUMNS);

/** Schedules in PostgreSQL. What it throws is a Fault. */
export const openScheduleStore = (client: PrismaClient): ScheduleStore => ({
  create: (schedule, bounds) =>
    faulting(() =>
      client.$transaction(async (transaction) => {
        const reached = await createSchedule(transaction, schedule, bounds);
        if (reached !== null) return reached;
        const made = await findSchedule(transaction, schedule);
        assert(made, "what was made in this transaction is there");
        return made;
      }),
    ),
  listOwned: (owner, scheduleId) =>
    faulting(async () => {
      const rows = await client.$queryRaw<ScheduleRow[]>`
        SELECT ${COLUMNS} FROM schedules AS s
        WHERE ${isOwnedBy(owner)} AND (${scheduleId ?? null}::text IS NULL OR s.id = ${scheduleId ?? null})
        ORDER BY s.created_at DESC, s.id DESC LIMIT ${SCHEDULES_PER_OWNER_MAX}::int`;
      return rows.map(toSchedule);
    }),
  find: (key, scope) => faulting(() => findSchedule(client, key, scope)),
  list: (tenantId, page) => faulting(() => listSchedules(client, tenantId, page)),
  update: (key, revision, terms, nextRuns) =>
    faulting(() =>
      client.$transaction(async (transaction) =>
        (await updateSchedule(transaction, key, revision, terms, nextRuns))
          ? findSchedule(transaction, key)
          : null,
      ),
    ),
  delete: ({ tenantId, scheduleId }) =>
    faulting(async () => {
      const { count } = await client.schedule.deleteMany({ where: { id: scheduleId, tenantId } });
      return count === 1;
    }),
  settle: (key, plannedAt, run, nextRuns) => faulting(() => settleRun(client, key, plannedAt, run, nextRuns)),
  openRuns: ({ tenantId, scheduleId }) =>
    faulting(async () => {
      const rows = await client.execution.findMany({
        where: { scheduleId, tenantId, status: { in: ["awaiting_approval", "queued", "running"] } },
        orderBy: { id: "asc" },
        take: SCHEDULE_OPEN_RUNS_MAX,
        select: { id: true },
      });
      return rows.map(({ id }) => id);
    }),
  listReleased: (limit) =>
    faulting(async () => {
      // In SQL, since nothing refers from executions to schedules.
      const rows = await client.$queryRaw<ScheduleRow[]>`
        SELECT ${COLUMNS} FROM schedules AS s
        WHERE s.waiting_since IS NOT NULL AND s.status = 'active'
          AND NOT EXISTS (SELECT FROM executions AS e WHERE e.schedule_id = s.id
            AND e.schedule_id IS NOT NULL AND e.status IN ('awaiting_approval', 'queued', 'running'))
        ORDER BY s.waiting_since, s.id LIMIT ${limit}::int`;
      return rows.map(toSchedule);
    }),
  settleWaiting: (key, waitingSince, run) => faulting(() => settleWaiting(client, key, waitingSince, run)),
  record: (key, run) => faulting(() => recordRun(client, key, run)),
  listDue: (until, after, limit) => faulting(() => listDue(client, until, after, limit)),
  listActive: (after, limit) =>
    faulting(async () => {
      const rows = await client.schedule.findMany({
        where: { status: "active", id: { gt: after ?? "" } },
        orderBy: { id: "asc" },
        take: limit,
        select: PLAN_FIELDS,
      });
      return rows.map(toPlanned);
    }),
  activeAmong: (scheduleIds) =>
    faulting(async () => {
      const rows = await client.schedule.findMany({
        where: { id: { in: scheduleIds }, status: "active" },
        select: { id: true },
      });
      return rows.map(({ id }) => id);
    }),
});

/** Whether schedule `s` is there: its tool is, and it calls for no other agent. For who sees all, also without its tool. */
const isSeenIn = (scope: ToolScope): Prisma.Sql =>
  scope.seesAll
    ? Prisma.sql`true`
    : Prisma.sql`(s.context->>'agentId' IS NULL OR s.context->>'agentId' = ${scope.agentId}::text)
        AND EXISTS (SELECT FROM tools AS t
          WHERE t.id = s.tool_id AND t.tenant_id = s.tenant_id AND ${isThere(scope)})`;

async function findSchedule(
  client: Prisma.TransactionClient,
  { tenantId, scheduleId }: ScheduleKey,
  scope?: ToolScope,
): Promise<Schedule | null> {
  const [row] = await client.$queryRaw<ScheduleRow[]>`
    SELECT ${COLUMNS} FROM schedules AS s
    WHERE id = ${scheduleId} AND tenant_id = ${tenantId} AND ${scope ? isSeenIn(scope) : Prisma.sql`true`}`;
  return row ? toSchedule(row) : null;
}

/** By time of creation, then id; the schedule that a page goes on behind must still be there, and seen, else it is empty. */
async function listSchedules(
  client: PrismaClient,
  tenantId: string,
  page: { scope: ToolScope; before?: string; limit: number },
): Promise<Schedule[]> {
  const seen = isSeenIn(page.scope);
  const behind =
    page.before === undefined
      ? Prisma.sql`true`
      : Prisma.sql`(created_at, id) < (SELECT created_at, id FROM schedules AS s
          WHERE id = ${page.before} AND tenant_id = ${tenantId} AND ${seen})`;
  const rows = await client.$queryRaw<ScheduleRow[]>`
    SELECT ${COLUMNS} FROM schedules AS s WHERE tenant_id = ${tenantId} AND ${seen} AND ${behind}
    ORDER BY created_at DESC, id DESC LIMIT ${page.limit}::int`;
  return rows.map(toSchedule);
}

async function listDue(client: PrismaClient, until: Date, after: DueCursor | null, limit: number) {
  const rows = await client.schedule.findMany({
    where: {
      status: "active",
      // The bounds on the time alone are what the index is entered by.
      nextRunAt: { lte: until, ...(after && { gte: after.nextRunAt }) },
      ...(after && { OR: [{ nextRunAt: { gt: after.nextRunAt } }, { id: { gt: after.scheduleId } }] }),
    },
    orderBy: [{ nextRunAt: "asc" }, { id: "asc" }],
    take: limit,
    select: PLAN_FIELDS,
  });
  return rows.map(toPlanned);
}
