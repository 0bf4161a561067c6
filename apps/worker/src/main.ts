import { openDatabase } from "@bulkhead/database";
import { openEgressBroker } from "@bulkhead/egress";
import { runAttempt, RunningAttempts, type RunDeps } from "@bulkhead/execution";
import { askedToStop, Closers, compileAtOnce, PARENT_GONE } from "@bulkhead/lifecycle";
import { openExecutionQueue, openQueueConsumer } from "@bulkhead/queue";
import { openSandboxPool } from "@bulkhead/sandbox-pool";
import { SettingsError } from "@bulkhead/settings";
import { openEventStream, openSignalBus, openStreamRedis } from "@bulkhead/stream";
import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { readConfig, type WorkerConfig } from "./config.ts";
import { cachedDefinitions } from "./definition-cache.ts";
import { keepLeases, LEASE_MS } from "./lease-keeper.ts";
import { stopGently } from "./stop-gently.ts";
import { keepPartitions, sweepOften } from "./sweeper.ts";

async function main(config: WorkerConfig): Promise<void> {
  compileAtOnce();
  const closers = new Closers();
  const workerId = `wrk_${randomUUID()}`;
  const logger = pino({ level: config.LOG_LEVEL, name: "worker" }).child({ workerId });
  const report = (what: string, error: unknown): void => logger.warn({ err: error }, what);
  const clock = () => new Date();
  try {
    const redisUrl = config.REDIS_URL.reveal();
    const database = closers.add(
      "database",
      await openDatabase({ url: config.DATABASE_URL.reveal(), poolMax: config.DATABASE_POOL_MAX }),
    );
    const { executions, tools } = database;
    const onError = (error: unknown): void => report("the queue failed", error);
    const queue = closers.add("queue", await openExecutionQueue({ redisUrl, onError }));
    const redis = closers.add("stream's Redis", await openStreamRedis({ redisUrl, onError }));
    const bus = closers.add("signals", await openSignalBus({ redis }));
    const findExecution = executions.find.bind(executions);
    const stream = closers.add("stream", openEventStream({ redis, findExecution }));
    const egress = closers.add("egress", openEgressBroker({ allow: config.EGRESS_ALLOW }));
    const sandbox = closers.add("sandbox", openSandboxPool({ processesMax: config.SANDBOX_PROCESSES_MAX }));
    const running = new RunningAttempts();
    const findDefinition = cachedDefinitions(tools);
    const run: RunDeps = {
      executions,
      queue,
      stream,
      sandbox,
      egress,
      findDefinition,
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
    process.stdout.write("worker ready\n");

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
  process.stderr.write(`${error instanceof SettingsError ? error.message : `worker: ${String(error)}`}\n`);
  process.exitCode = 1;
}
