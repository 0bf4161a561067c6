import { auditLog } from "@bulkhead/tenants";
import { openBuiltInTools } from "@bulkhead/tools/built-in";
import {
  kickAfterEnds,
  countEnds,
  coverReport,
  runAttempt,
  RunningAttempts,
  withdrawExecution,
  type Report,
  type RunDeps,
  scheduledSubmission,
} from "@bulkhead/executions";
import { openDatabase } from "@bulkhead/postgres";
import { openEgressBroker } from "@bulkhead/egress";
import { openSchemaChecker } from "@bulkhead/tools/schema";
import { askedToStop, Closers, compileAtOnce, PARENT_GONE, runMain } from "@bulkhead/process";
import {
  openExecutionQueue,
  openQueueConsumer,
  openWorkerDirectory,
  openRateLimiter,
  openEventStream,
  openSignalBus,
  openStreamLogs,
  openStreamRedis,
  openTenantEvents,
  openTenantRemnants,
} from "@bulkhead/redis";
import { openSandboxPool, sandboxProgram } from "@bulkhead/sandbox";
import { DocumentThreads, openScrubbers } from "@bulkhead/scrub";
import {
  Headroom,
  measurePool,
  openLogger,
  openMetrics,
  openTracing,
  pushPlan,
} from "@bulkhead/process/telemetry";
import { openLocalVault } from "@bulkhead/tenants/vault";
import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import { announceWorker } from "./announce-worker.ts";
import { rememberCodeFaults } from "./code-faults.ts";
import { openCallableCache } from "./callable-cache.ts";
import { readConfig, type WorkerConfig } from "./config.ts";
import { cachedDefinitions } from "./definition-cache.ts";
import { deleteTenantsOften } from "./delete-tenants.ts";
import { keepSchedules } from "./keep-schedules.ts";
import { keepSecrets } from "./keep-secrets.ts";
import { countEgress } from "./metrics/count-egress.ts";
import { measureDispatcher } from "./metrics/dispatcher-gauges.ts";
import { measureLogs } from "./metrics/log-gauges.ts";
import { ownCpuMs } from "./own-cpu.ts";
import { keepLeases, LEASE_MS } from "./lease-keeper.ts";
import { observeSandbox } from "./metrics/observe-sandbox.ts";
import { reportLayers } from "./report-layers.ts";
import { measureSandbox } from "./metrics/sandbox-gauges.ts";
import { timeEnds } from "./metrics/time-ends.ts";
import { timeScrubbers } from "./metrics/timed-scrubbers.ts";
import { measureWaits } from "./metrics/waits.ts";
import { stopGently } from "./stop-gently.ts";
import { deliverOften } from "./deliver-often.ts";
import { eraseOften, keepHouse, keepLogsOften, sweepOften } from "./sweeper.ts";
import { takeOverDead } from "./take-over-dead.ts";
import { workerFacts } from "./worker-facts.ts";

async function main(config: WorkerConfig): Promise<void> {
  compileAtOnce();
  const closers = new Closers();
  const workerId = config.BULKHEAD_WORKER_ID ?? `wrk_${randomUUID()}`;
  const { logger, areaLogger } = openLogger({
    service: "worker",
    levels: config.LOG_LEVEL,
    facts: { workerId },
  });
  const scrubbers = openScrubbers({ threads: closers.add("document threads", new DocumentThreads()) });
  const nothingKnown = scrubbers.open({ needles: [], patterns: [] });
  const reportTo = (to: Logger): Report =>
    coverReport((what, error, about) => to.warn({ err: error, ...about }, what), nothingKnown);
  const report = reportTo(logger);
  const reportTelemetry = reportTo(areaLogger("telemetry"));
  const sweepLogger = areaLogger("sweep");
  const reportQueue = reportTo(areaLogger("queue"));
  const clock = () => new Date();
  try {
    // First, so that it is closed last.
    const tracing = closers.add(
      "tracing",
      await openTracing({
        settings: config,
        service: "worker",
        onError: (error) => reportTelemetry("exporting traces failed", error),
      }),
    );
    const metrics = closers.add(
      "metrics",
      await openMetrics({
        host: config.METRICS_HOST,
        port: config.METRICS_PORT,
        service: "worker",
        push: pushPlan(config),
        onError: (error) => reportTelemetry("telling metrics failed", error),
      }),
    );
    const { meter } = metrics;
    const redisUrl = config.REDIS_URL.reveal();
    const headroom = new Headroom();
    const database = closers.add(
      "database",
      await openDatabase({
        url: config.DATABASE_URL.reveal(),
        poolMax: config.DATABASE_POOL_MAX,
        isSaturated: () => headroom.isSaturated,
      }),
    );
    const { tools, tenants, approvals, auditEntries, logs, deliveries, schedules } = database;
    const masterKeys = { current: config.BULKHEAD_MASTER_KEY, old: config.BULKHEAD_MASTER_KEY_OLD };
    const vault = await openLocalVault(masterKeys, database.dataKeys);
    const audit = auditLog({ auditEntries, report });
    measurePool(() => database.connections(), meter);
    const waits = measureWaits(meter, config.METRICS_TENANTS);
    const executions = waits.measured(countEnds(timeEnds(database.executions, meter), meter));
    const onError = (error: unknown): void => reportQueue("the queue failed", error);
    const queue = closers.add(
      "queue",
      await openExecutionQueue({ redisUrl, shards: config.DISPATCH_SHARDS, onError }),
    );
    const redis = closers.add("stream's Redis", await openStreamRedis({ redisUrl, onError }));
    const rateLimiter = closers.add("rate limiter", await openRateLimiter({ redisUrl, onError }));
    const bus = closers.add("signals", await openSignalBus({ redis, changes: rateLimiter }));
    const findExecution = executions.find.bind(executions);
    const stream = closers.add("stream", openEventStream({ redis, findExecution, logs, report }));
    const tenantEvents = closers.add("tenant events", openTenantEvents({ redis, report }));
    const egress = closers.add(
      "egress",
      countEgress(
        openEgressBroker({
          allow: config.EGRESS_ALLOW,
          scrubbers,
          // Runs begin after all this is open.
          tally: (tenantId, counts) => tally(tenantId, counts),
        }),
        meter,
      ),
    );
    const delivering = closers.add(
      "deliveries",
      deliverOften({ executions, deliveries, egress, vault, tracing, meter, clock, report }),
    );
    const sandbox = closers.add(
      "sandbox",
      openSandboxPool({
        processesMax: config.SANDBOX_PROCESSES_MAX,
        requiredLayers: config.SANDBOX_REQUIRE,
        headroom: () => headroom.value,
      }),
    );
    reportLayers(await sandbox.layers(), areaLogger("sandbox"));
    measureSandbox(sandbox, meter);
    const timed = timeScrubbers(scrubbers, meter);
    const keeping = keepSecrets({ database, vault, bus, scrubbers: timed.scrubbers, report });
    const secrets = closers.add("secrets", keeping);
    const tally = timed.counting(secrets.forRuns.tally);
    const callable = closers.add("callable tools", openCallableCache({ tools, bus }));
    const provider = closers.add("built-in tools", openBuiltInTools());
    const schemas = closers.add("schema checker", openSchemaChecker());
    const running = new RunningAttempts();
    const findDefinition = cachedDefinitions(tools);
    const run: RunDeps = {
      tracing,
      executions: kickAfterEnds(executions, delivering.kick),
      queue,
      stream,
      sandbox: observeSandbox(sandbox, meter),
      egress,
      bus,
      tenantEvents,
      audit,
      schemas,
      provider,
      findTool: callable.findTool,
      listActiveTools: callable.listActiveTools,
      findDefinition,
      findCodeFault: rememberCodeFaults(),
      ...secrets.forRuns,
      tally,
      dryRuns: database.dryRuns,
      running,
      clock,
      report,
      workerId,
      leaseMs: LEASE_MS,
    };
    const unsubscribe = bus.subscribe((signal) => {
      if (signal.type === "stop") running.stop(signal.executionId, signal.attempt, "superseded");
    });
    closers.defer("stop signals", unsubscribe);
    closers.add("leases", keepLeases({ executions, queue, bus, running, report }));
    const sweepDeps = { executions, queue, stream, bus, tenantEvents, clock, report };
    closers.add(
      "sweeper",
      sweepOften(sweepDeps, meter, (healed) => sweepLogger.info({ healed }, "sweep put something right")),
    );
    closers.add(
      "taking over",
      takeOverDead(sweepDeps, meter, {
        deadWorkerIds: config.BULKHEAD_DEAD_WORKERS,
        say: (healed) => sweepLogger.info({ healed }, "what a dead worker ran was taken over"),
      }),
    );
    const streamLogs = closers.add("logs in streams", openStreamLogs(redis));
    const { LOG_RETENTION_DAYS: days, RETENTION_DAYS: daysMax } = config;
    closers.add("logs", keepLogsOften({ logs, streamLogs, report, days, daysMax }));
    closers.add("erasing", eraseOften({ erasures: database.erasures, stream, report }));
    closers.add(
      "housekeeping",
      keepHouse({
        executions,
        auditEntries,
        logs,
        report,
        retentionDays: daysMax,
        auditRetentionDays: config.AUDIT_RETENTION_DAYS,
      }),
    );
    measureDispatcher(queue, meter);
    measureLogs(logs, meter);
    const consumer = await openQueueConsumer({
      redisUrl,
      shards: config.DISPATCH_SHARDS,
      workerId,
      queue,
      concurrency: config.WORKER_CONCURRENCY,
      headroom: headroom.followMachine(() => ownCpuMs(sandbox)),
      handle: (attempt, readySince) => {
        waits.taken(attempt, readySince);
        return runAttempt(run, attempt, readySince);
      },
      onError,
    });
    closers.add("consumer", consumer);
    const submitScheduled = scheduledSubmission({ ...run, executions, queue, rateLimiter, approvals });
    const keptSchedules = closers.add(
      "schedules",
      await keepSchedules(
        {
          schedules,
          tenants,
          tools,
          executions,
          submitScheduled,
          cancelRun: (of, message) => withdrawExecution(sweepDeps, of, message),
          clock,
          report,
        },
        {
          redisUrl,
          onError,
          say: (healed) => areaLogger("schedules").info({ healed }, "schedules were put right"),
        },
      ),
    );
    closers.add(
      "deleting tenants",
      deleteTenantsOften({
        ...sweepDeps,
        deletions: database.tenantDeletions,
        remnants: openTenantRemnants(redis),
        triggers: keptSchedules,
      }),
    );
    const directory = closers.add("directory of workers", await openWorkerDirectory({ redisUrl, onError }));
    const facts = workerFacts({
      workerId,
      slots: config.WORKER_CONCURRENCY,
      running,
      pool: sandbox,
      program: sandboxProgram().entry,
    });
    closers.add("announcing", announceWorker({ directory, facts, workerId, report }));
    // Who reads that it is ready may ask it to stop at once.
    const asked = askedToStop({ watchParent: config.BULKHEAD_WATCH_PARENT === "1" });
    process.stdout.write(`worker ready (metrics on ${metrics.url})\n`);
    const why = await asked;
    logger.debug({ why, running: running.size }, "worker stops");
    await stopGently(consumer, running, why === PARENT_GONE ? 0 : config.SHUTDOWN_GRACE_MS);
  } finally {
    await closers.close();
  }
}

await runMain("worker", readConfig, main);
