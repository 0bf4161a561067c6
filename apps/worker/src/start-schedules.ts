import type { ExecutionStore, McpBridge, ScheduleTriggers } from "@bulkhead/core";
import { scheduledSubmission, StandingCounter, withdrawExecution, type RunDeps } from "@bulkhead/executions";
import type { Platform } from "@bulkhead/platform";
import type { Closers } from "@bulkhead/process";
import { openTenantRemnants } from "@bulkhead/redis";
import { deleteTenantsOften } from "./delete-tenants.ts";
import { keepSchedules } from "./keep-schedules.ts";

interface StartSchedulesInput {
  platform: Platform;
  closers: Closers;
  executions: ExecutionStore;
  run: RunDeps & { mcp: McpBridge };
  triggers: ScheduleTriggers;
}

/** Starts what runs schedules, and the deletion of tenants, which takes their schedules' triggers away. */
export function startSchedules({ platform, closers, executions, run, triggers }: StartSchedulesInput): void {
  const { areaLogger, database, queue, redis, rateLimiter, stream, signals: bus, tenantEvents } = platform;
  const { clock, report } = platform;
  const { apiKeys, approvals, mcpServers, schedules, tenantDeletions: deletions, tenants, tools } = database;
  const logger = areaLogger("schedules");
  const ending = { executions, queue, stream, bus, tenantEvents, clock, report };
  const standingUses = closers.add("standing approvals", new StandingCounter({ approvals, clock, report }));
  const submitting = { ...run, executions, queue, rateLimiter, approvals, standingUses };
  closers.add(
    "schedules",
    keepSchedules(
      {
        schedules,
        triggers,
        apiKeys,
        policies: run.policies,
        tenants,
        tools,
        executions,
        submitScheduled: scheduledSubmission(submitting),
        cancelRun: (of, message) => withdrawExecution(ending, of, message),
        clock,
        report,
      },
      {
        ...platform.redisInput,
        say: (healed) => logger.info({ healed }, "schedules were put right"),
      },
    ),
  );
  const remnants = openTenantRemnants(redis);
  const removeTrigger = (scheduleId: string) => triggers.remove(scheduleId);
  const deleting = { ...ending, deletions, remnants, triggers: { removeTrigger }, mcpServers, mcp: run.mcp };
  closers.add("deleting tenants", deleteTenantsOften(deleting));
}
