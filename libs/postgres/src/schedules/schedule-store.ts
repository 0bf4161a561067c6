import {
  SCHEDULE_OPEN_RUNS_MAX,
  type DueCursor,
  type Schedule,
  type ScheduleKey,
  type ScheduleStore,
  type ToolScope,
} from "@bulkhead/core";
import { Prisma, type PrismaClient } from "../generated/client.ts";
import { faulting } from "../sql-trouble.ts";
import { isThere } from "../tools/in-scope.ts";
import {
  PLAN_COLUMNS,
  SCHEDULE_COLUMNS,
  toPlanned,
  toSchedule,
  type PlanRow,
  type ScheduleRow,
} from "./schedule-row.ts";
import { createSchedule, recordRun, settleRun, settleWaiting, updateSchedule } from "./write-schedules.ts";

const COLUMNS = Prisma.raw(SCHEDULE_COLUMNS);
const PLAN = Prisma.raw(PLAN_COLUMNS);
/** Of an execution `e` of a schedule; the words are those of the index. */
const IS_OPEN = Prisma.sql`e.schedule_id IS NOT NULL AND e.status IN ('awaiting_approval', 'queued', 'running')`;

/** Schedules in PostgreSQL. What it throws is a Fault. */
export const openScheduleStore = (client: PrismaClient): ScheduleStore => ({
  create: (schedule, schedulesMax) => faulting(() => createSchedule(client, schedule, schedulesMax)),
  find: (key, scope) => faulting(() => findSchedule(client, key, scope)),
  list: (tenantId, page) => faulting(() => listSchedules(client, tenantId, page)),
  update: (key, revision, terms, nextRuns) =>
    faulting(() => updateSchedule(client, key, revision, terms, nextRuns)),
  delete: ({ tenantId, scheduleId }) =>
    faulting(async () => {
      const gone = await client.$executeRaw`
        DELETE FROM schedules WHERE id = ${scheduleId} AND tenant_id = ${tenantId}`;
      return gone === 1;
    }),
  settle: (key, plannedAt, run, nextRuns) => faulting(() => settleRun(client, key, plannedAt, run, nextRuns)),
  openRuns: ({ tenantId, scheduleId }) =>
    faulting(async () => {
      const rows = await client.$queryRaw<{ id: string }[]>`
        SELECT e.id FROM executions AS e
        WHERE e.schedule_id = ${scheduleId} AND e.tenant_id = ${tenantId} AND ${IS_OPEN}
        ORDER BY e.id LIMIT ${SCHEDULE_OPEN_RUNS_MAX}::int`;
      return rows.map(({ id }) => id);
    }),
  listReleased: (limit) =>
    faulting(async () => {
      const rows = await client.$queryRaw<ScheduleRow[]>`
        SELECT ${COLUMNS} FROM schedules AS s
        WHERE s.waiting_since IS NOT NULL AND s.status = 'active'
          AND NOT EXISTS (SELECT FROM executions AS e WHERE e.schedule_id = s.id AND ${IS_OPEN})
        ORDER BY s.waiting_since, s.id LIMIT ${limit}::int`;
      return rows.map(toSchedule);
    }),
  settleWaiting: (key, waitingSince, run) => faulting(() => settleWaiting(client, key, waitingSince, run)),
  record: (key, run) => faulting(() => recordRun(client, key, run)),
  listDue: (until, after, limit) => faulting(() => listDue(client, until, after, limit)),
  listActive: (after, limit) =>
    faulting(async () => {
      const rows = await client.$queryRaw<PlanRow[]>`
        SELECT ${PLAN} FROM schedules AS s
        WHERE status = 'active' AND id > ${after ?? ""} ORDER BY id LIMIT ${limit}::int`;
      return rows.map(toPlanned);
    }),
  activeAmong: (scheduleIds) =>
    faulting(async () => {
      const rows = await client.$queryRaw<{ id: string }[]>`
        SELECT id FROM schedules WHERE id = ANY(${scheduleIds}::text[]) AND status = 'active'`;
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
  client: PrismaClient,
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
  const behind =
    after === null
      ? Prisma.sql`true`
      : Prisma.sql`(next_run_at, id) > (${after.nextRunAt}::timestamptz, ${after.scheduleId})`;
  const rows = await client.$queryRaw<PlanRow[]>`
    SELECT ${PLAN} FROM schedules AS s
    WHERE status = 'active' AND next_run_at <= ${until}::timestamptz AND ${behind}
    ORDER BY next_run_at, id LIMIT ${limit}::int`;
  return rows.map(toPlanned);
}
