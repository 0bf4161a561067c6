import type { Scrubber, Scrubbers } from "@bulkhead/core";
import { coverReport, type Report } from "@bulkhead/executions";
import { openDatabase } from "@bulkhead/postgres";
import type { Closers } from "@bulkhead/process";
import {
  countBy,
  measurePool,
  openLogger,
  openMetrics,
  openTracing,
  pushPlan,
  type Headroom,
} from "@bulkhead/process/telemetry";
import {
  openEventStream,
  openExecutionQueue,
  openRateLimiter,
  openSignalBus,
  openStreamRedis,
  openTenantEvents,
  openWorkerDirectory,
} from "@bulkhead/redis";
import { auditLog, tellDeeds } from "@bulkhead/tenants";
import { openLocalVault } from "@bulkhead/tenants/vault";
import type { PlatformConfig } from "./platform-settings.ts";

export interface OpenPlatformInput {
  config: PlatformConfig;
  service: "api" | "worker";
  /** Every line of the log bears them. */
  facts?: Record<string, string>;
  /** Each opened part is registered here, so that it is closed where opening the rest fails. */
  closers: Closers;
  /** Group commits wait for company while it says that the processors have nothing to spare. */
  headroom: Headroom;
  scrubbers: Scrubbers;
}

export type Platform = Awaited<ReturnType<typeof openPlatform>>;

/**
 * Opens what both mains stand on: the log, traces and metrics, PostgreSQL, the vault, and all of Redis. Throws a SettingsError
 * that names the setting where something isn't reachable or doesn't fit.
 */
export async function openPlatform({
  config,
  service,
  facts = {},
  closers,
  headroom,
  scrubbers,
}: OpenPlatformInput) {
  const { logger, areaLogger } = openLogger({ service, levels: config.LOG_LEVEL, facts });
  // Settings alone are known here: a report covers what looks like a secret.
  const nothingKnown: Scrubber = scrubbers.open({ needles: [], patterns: [] });
  const reportTo = (to: ReturnType<typeof areaLogger>): Report =>
    coverReport((what, error, about) => to.warn({ err: error, ...about }, what), nothingKnown);
  const report = reportTo(logger);
  const reportTelemetry = reportTo(areaLogger("telemetry"));
  const reportQueue = reportTo(areaLogger("queue"));
  const onError = (error: unknown): void => reportQueue("Redis failed", error);

  // First, so that it is closed last.
  const tracing = closers.add(
    "tracing",
    await openTracing({
      settings: config,
      service,
      onError: (error) => reportTelemetry("exporting traces failed", error),
    }),
  );
  const metrics = closers.add(
    "metrics",
    await openMetrics({
      host: config.METRICS_HOST,
      port: config.METRICS_PORT,
      service,
      push: pushPlan(config),
      onError: (error) => reportTelemetry("telling metrics failed", error),
    }),
  );

  const database = closers.add(
    "database",
    await openDatabase({
      url: config.DATABASE_URL.reveal(),
      poolMax: config.DATABASE_POOL_MAX,
      isSaturated: () => headroom.isSaturated,
    }),
  );
  measurePool(() => database.connections(), metrics.meter);
  const masterKeys = { current: config.BULKHEAD_MASTER_KEY, old: config.BULKHEAD_MASTER_KEY_OLD };
  const vault = await openLocalVault(masterKeys, database.dataKeys);

  const redisUrl = config.REDIS_URL.reveal();
  const queue = closers.add(
    "queue",
    await openExecutionQueue({ redisUrl, shards: config.DISPATCH_SHARDS, onError }),
  );
  const redis = closers.add("stream's Redis", await openStreamRedis({ redisUrl, onError }));
  const rateLimiter = closers.add("rate limiter", await openRateLimiter({ redisUrl, onError }));
  const signals = closers.add("signals", await openSignalBus({ redis, changes: rateLimiter }));
  // A tenant whose deletion has begun has no data keys any more.
  closers.defer(
    "forgetting data keys",
    signals.subscribe((signal) => {
      if (signal.type === "forget" && signal.kind === "tenant") vault.forget(signal.id);
    }),
  );
  const { executions, logs } = database;
  const findExecution = executions.find.bind(executions);
  const stream = closers.add("stream", openEventStream({ redis, findExecution, logs, report }));
  const onDropped = countBy(metrics.meter, "bulkhead_events_dropped_total");
  const tenantEvents = closers.add("tenant events", openTenantEvents({ redis, report, onDropped }));
  const audit = tellDeeds(auditLog({ auditEntries: database.auditEntries, report }), tenantEvents);
  const directory = closers.add("directory of workers", await openWorkerDirectory({ redisUrl, onError }));

  return {
    logger,
    areaLogger,
    nothingKnown,
    report,
    tracing,
    metrics,
    database,
    vault,
    audit,
    queue,
    redis,
    rateLimiter,
    signals,
    stream,
    tenantEvents,
    directory,
    /** For what else opens a connection to Redis. */
    redisInput: { redisUrl, onError },
    clock: () => new Date(),
  };
}
