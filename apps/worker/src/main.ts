import { openBuiltInTools } from "@bulkhead/built-in-tools";
import { openDatabase } from "@bulkhead/database";
import { openEgressBroker } from "@bulkhead/egress";
import { countEnds, runAttempt, RunningAttempts, type RunDeps } from "@bulkhead/execution";
import { openSchemaChecker } from "@bulkhead/json-schema";
import { askedToStop, Closers, compileAtOnce, PARENT_GONE } from "@bulkhead/lifecycle";
import { openExecutionQueue, openQueueConsumer, openWorkerDirectory } from "@bulkhead/queue";
import { MissingLayersError, openSandboxPool, sandboxProgram } from "@bulkhead/sandbox-pool";
import { SettingsError } from "@bulkhead/settings";
import { openEventStream, openSignalBus, openStreamRedis } from "@bulkhead/stream";
import { openMetrics } from "@bulkhead/telemetry";
import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { announceWorker } from "./announce-worker.ts";
import { rememberCodeFaults } from "./code-faults.ts";
import { openCallableCache } from "./callable-cache.ts";
import { readConfig, type WorkerConfig } from "./config.ts";
import { cachedDefinitions } from "./definition-cache.ts";
import { keepLeases, LEASE_MS } from "./lease-keeper.ts";
import { observeSandbox } from "./observe-sandbox.ts";
import { reportLayers } from "./report-layers.ts";
import { measureSandbox } from "./sandbox-gauges.ts";
import { stopGently } from "./stop-gently.ts";
import { keepPartitions, sweepOften } from "./sweeper.ts";
import { workerFacts } from "./worker-facts.ts";

async function main(config: WorkerConfig): Promise<void> {
  compileAtOnce();
  const closers = new Closers();
  const workerId = `wrk_${randomUUID()}`;
  const logger = pino({ level: config.LOG_LEVEL, name: "worker" }).child({ workerId });
  const report = (what: string, error: unknown): void => logger.warn({ err: error }, what);
  const clock = () => new Date();
  try {
    const metrics = closers.add(
      "metrics",
      await openMetrics({
        host: config.METRICS_HOST,
        port: config.METRICS_PORT,
        service: "worker",
        onError: (error) => report("reading a metric failed", error),
      }),
    );
    const { meter } = metrics;
    const redisUrl = config.REDIS_URL.reveal();
    const database = closers.add(
      "database",
      await openDatabase({ url: config.DATABASE_URL.reveal(), poolMax: config.DATABASE_POOL_MAX }),
    );
    const { tools } = database;
    const executions = countEnds(database.executions, meter);
    const onError = (error: unknown): void => report("the queue failed", error);
    const queue = closers.add("queue", await openExecutionQueue({ redisUrl, onError }));
    const redis = closers.add("stream's Redis", await openStreamRedis({ redisUrl, onError }));
    const bus = closers.add("signals", await openSignalBus({ redis }));
    const findExecution = executions.find.bind(executions);
    const stream = closers.add("stream", openEventStream({ redis, findExecution }));
    const egress = closers.add("egress", openEgressBroker({ allow: config.EGRESS_ALLOW }));
    const sandbox = closers.add(
      "sandbox",
      openSandboxPool({
        processesMax: config.SANDBOX_PROCESSES_MAX,
        requiredLayers: config.SANDBOX_REQUIRE,
      }),
    );
    reportLayers(await sandbox.layers(), logger);
    measureSandbox(sandbox, meter);
    const callable = closers.add("callable tools", openCallableCache({ tools, bus }));
    const provider = closers.add("built-in tools", openBuiltInTools());
    const schemas = closers.add("schema checker", openSchemaChecker());
    const running = new RunningAttempts();
    const findDefinition = cachedDefinitions(tools);
    const run: RunDeps = {
      executions,
      queue,
      stream,
      sandbox: observeSandbox(sandbox, meter),
      egress,
      bus,
      schemas,
      provider,
      findTool: callable.findTool,
      listActiveTools: callable.listActiveTools,
      findDefinition,
      findCodeFault: rememberCodeFaults(),
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
    closers.add("leases", keepLeases({ executions, queue, running, report }));
    const sweepDeps = { executions, queue, stream, bus, clock, report };
    closers.add(
      "sweeper",
      sweepOften(sweepDeps, (healed) => logger.info({ healed }, "sweep put something right")),
    );
    closers.add("partitions", keepPartitions(executions, report));
    const consumer = await openQueueConsumer({
      redisUrl,
      concurrency: config.WORKER_CONCURRENCY,
      handle: (attempt) => runAttempt(run, attempt),
      onError,
    });
    closers.add("consumer", consumer);
    const directory = closers.add("directory of workers", await openWorkerDirectory({ redisUrl, onError }));
    const facts = workerFacts({
      workerId,
      slots: config.WORKER_CONCURRENCY,
      running,
      pool: sandbox,
      program: sandboxProgram().entry,
    });
    closers.add("announcing", announceWorker({ directory, facts, workerId, report }));
    process.stdout.write(`worker ready (metrics on ${metrics.url})\n`);

    const why = await askedToStop({ watchParent: config.BULKHEAD_WATCH_PARENT === "1" });
    logger.debug({ why, running: running.size }, "worker stops");
    await stopGently(consumer, running, why === PARENT_GONE ? 0 : config.SHUTDOWN_GRACE_MS);
  } finally {
    await closers.close();
  }
}

try {
  const config = readConfig(process.env);
  // Standalone has all settings looked at before it starts anything.
  if (!process.argv.includes("--check-settings")) await main(config);
} catch (error) {
  const isForOperator = error instanceof SettingsError || error instanceof MissingLayersError;
  process.stderr.write(`${isForOperator ? error.message : `worker: ${String(error)}`}\n`);
  process.exitCode = 1;
}
