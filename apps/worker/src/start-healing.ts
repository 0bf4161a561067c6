import type { ExecutionStore } from "@bulkhead/core";
import type { Platform } from "@bulkhead/platform";
import type { Closers } from "@bulkhead/process";
import { openStreamLogs } from "@bulkhead/redis";
import type { WorkerConfig } from "./config.ts";
import { eraseOften, cleanUpOften, keepLogsOften, sweepDataOften, sweepOften } from "./sweeper.ts";
import { reclaimDeadWorkers } from "./reclaim-dead-workers.ts";

interface StartHealingInput {
  config: WorkerConfig;
  platform: Platform;
  closers: Closers;
  executions: ExecutionStore;
}

/** Starts what puts right what crashes left, keeps the logs of what ended, and drops what is past its retention. */
export function startHealing({ config, platform, closers, executions }: StartHealingInput): void {
  const { areaLogger, database, queue, redis, stream, signals: bus, tenantEvents, clock, report } = platform;
  const { meter } = platform.metrics;
  const { auditEntries, data, erasures, files, logs } = database;
  const { LOG_RETENTION_DAYS: days, RETENTION_DAYS: daysMax } = config;
  const logger = areaLogger("sweep");
  const deps = { executions, queue, stream, bus, tenantEvents, clock, report };
  closers.add(
    "sweeper",
    sweepOften(deps, meter, (healed) => logger.info({ healed }, "sweep put something right")),
  );
  closers.add(
    "reclaiming",
    reclaimDeadWorkers(deps, meter, {
      deadWorkerIds: config.BULKHEAD_DEAD_WORKERS,
      say: (healed) => logger.info({ healed }, "the attempts of a dead worker were reclaimed"),
    }),
  );
  const streamLogs = closers.add("logs in streams", openStreamLogs(redis));
  closers.add("logs", keepLogsOften({ logs, streamLogs, report, days, daysMax }));
  closers.add("custom data", sweepDataOften({ data, report }));
  closers.add("erasing", eraseOften({ erasures, stream, report }));
  closers.add(
    "housekeeping",
    cleanUpOften({
      executions,
      auditEntries,
      logs,
      files,
      report,
      retentionDays: daysMax,
      auditRetentionDays: config.AUDIT_RETENTION_DAYS,
    }),
  );
}
