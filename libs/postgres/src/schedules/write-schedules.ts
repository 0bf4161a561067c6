import type {
  NewSchedule,
  PlannedRun,
  ScheduleBounds,
  ScheduleKey,
  ScheduleOwner,
  ScheduleRun,
  ScheduleTerms,
} from "@bulkhead/core";
import { Prisma, type PrismaClient } from "../generated/client.ts";
import { jsonInput } from "../stored-json.ts";

/** Whether schedule `s` is the owner's: an agent and a user are texts of its context, of which none is none. */
export const isOwnedBy = ({ tenantId, madeByTool, agentId, userId }: ScheduleOwner): Prisma.Sql =>
  Prisma.sql`s.tenant_id = ${tenantId} AND s.made_by_tool = ${madeByTool}
    AND s.context->>'agentId' IS NOT DISTINCT FROM ${agentId}::text
    AND s.context->>'userId' IS NOT DISTINCT FROM ${userId}::text`;

/** The bound that is reached, and null where it is made. */
export async function createSchedule(
  transaction: Prisma.TransactionClient,
  schedule: NewSchedule,
  { ofTenant, ofOwner }: ScheduleBounds,
): Promise<keyof ScheduleBounds | null> {
  const { tenantId, scheduleId: id, nextRuns, createdBy, madeByTool, context, createdAt } = schedule;
  // Those who make one at the same time count one after the other. In SQL for the lock, which locks out no insert that refers
  // to the tenant.
  await transaction.$queryRaw`SELECT id FROM tenants WHERE id = ${tenantId} FOR NO KEY UPDATE`;
  if ((await transaction.schedule.count({ where: { tenantId } })) >= ofTenant) return "ofTenant";
  if (madeByTool !== null) {
    const { agentId = null, userId = null } = context;
    const [owned] = await transaction.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS count FROM schedules AS s
      WHERE ${isOwnedBy({ tenantId, madeByTool, agentId, userId })}`;
    if ((owned?.count ?? 0) >= ofOwner) return "ofOwner";
  }
  const made = { nextRuns, createdBy, madeByTool, createdAt, updatedAt: createdAt };
  await transaction.schedule.create({
    data: { ...termsOf(schedule), id, tenantId, ...made },
    select: { id: true },
  });
  return null;
}

/** False when it is gone or has another revision; else its row is held to the end of the transaction. */
export async function updateSchedule(
  transaction: Prisma.TransactionClient,
  { tenantId, scheduleId: id }: ScheduleKey,
  revision: number,
  terms: ScheduleTerms,
  nextRuns: Date[] | null,
): Promise<boolean> {
  const { count } = await transaction.schedule.updateMany({
    where: { id, tenantId, revision },
    data: {
      ...termsOf(terms),
      ...(terms.status === "paused" && { waitingSince: null }),
      ...(nextRuns && { nextRuns }),
      revision: { increment: 1 },
      updatedAt: new Date(),
    },
  });
  return count === 1;
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
function termsOf({ plan, ...terms }: ScheduleTerms) {
  const every = plan.type === "every" ? plan : null;
  const cron = plan.type === "cron" ? plan : null;
  return {
    name: terms.name,
    toolId: terms.toolId,
    toolName: terms.toolName,
    arguments: jsonInput(terms.arguments),
    context: jsonInput(terms.context),
    priority: terms.priority,
    timeoutMs: terms.timeoutMs,
    cron: cron?.cron ?? null,
    timeZone: cron?.timeZone ?? null,
    everyMs: every?.everyMs ?? null,
    anchorAt: every?.anchorAt ?? null,
    missedRuns: terms.missedRuns,
    overlap: terms.overlap,
    status: terms.status,
    statusReason: terms.statusReason,
  };
}
