import { RunningAttempts, countEnds, runAttempt, tellRuns } from "@bulkhead/executions";
import { openPlatform } from "@bulkhead/platform";
import { askedToStop, Closers, compileAtOnce, PARENT_GONE, runMain } from "@bulkhead/process";
import { Headroom } from "@bulkhead/process/telemetry";
import { openQueueConsumer } from "@bulkhead/redis";
import { DocumentThreads, openScrubbers } from "@bulkhead/scrub";
import { sandboxProgram } from "@bulkhead/sandbox";
import { randomUUID } from "node:crypto";
import { announceWorker } from "./announce-worker.ts";
import { readConfig, type WorkerConfig } from "./config.ts";
import { workerEngines } from "./engines.ts";
import { keepLeases } from "./lease-keeper.ts";
import { mediaEngines } from "./media-settings.ts";
import { measureDispatcher, measureLogs } from "./metrics/backlog-gauges.ts";
import { timeEnds } from "./metrics/time-ends.ts";
import { measureWaits } from "./metrics/waits.ts";
import { openRuns } from "./open-runs.ts";
import { startHealing } from "./start-healing.ts";
import { startSchedules } from "./start-schedules.ts";
import { stopGently } from "./stop-gently.ts";
import { workerFacts } from "./worker-facts.ts";

async function main(config: WorkerConfig): Promise<void> {
  compileAtOnce();
  const closers = new Closers();
  const workerId = config.BULKHEAD_WORKER_ID ?? `wrk_${randomUUID()}`;
  try {
    const headroom = new Headroom();
    const scrubbers = openScrubbers({ threads: closers.add("document threads", new DocumentThreads()) });
    const facts = { workerId };
    const platform = await openPlatform({ config, service: "worker", facts, closers, headroom, scrubbers });
    const { logger, report, database, queue, signals, tenantEvents, directory, clock } = platform;
    const { meter, url: metricsUrl } = platform.metrics;
    const waits = measureWaits(meter, config.METRICS_TENANTS);
    const executions = waits.measured(
      tellRuns(countEnds(timeEnds(database.executions, meter), meter), tenantEvents.runs, clock),
    );
    const running = new RunningAttempts();
    const opened = { config, platform, closers, executions, running, workerId };

    const runs = await openRuns({ ...opened, scrubbers, headroom });
    const { run, sandbox, triggers, chromium, speaker, ownCpuMs } = runs;
    const stopRuns = signals.subscribe((signal) => {
      if (signal.type === "stop") running.stop(signal.executionId, signal.attempt, "superseded");
    });
    closers.defer("stop signals", stopRuns);
    closers.add("leases", keepLeases({ executions, queue, bus: signals, running, report }));
    startHealing(opened);
    measureDispatcher(queue, meter);
    measureLogs(database.logs, meter);

    const consumer = await openQueueConsumer({
      ...platform.redisInput,
      shards: config.DISPATCH_SHARDS,
      workerId,
      queue,
      concurrency: config.WORKER_CONCURRENCY,
      headroom: headroom.followMachine(ownCpuMs),
      handle: (attempt, readySince) => {
        waits.taken(attempt, readySince);
        return runAttempt(run, attempt, readySince);
      },
    });
    closers.add("consumer", consumer);
    startSchedules({ ...opened, run, triggers });
    const slots = config.WORKER_CONCURRENCY;
    const program = sandboxProgram().entry;
    const engines = [
      ...(await workerEngines(run.capabilities, chromium, speaker)),
      ...mediaEngines(config, speaker),
    ];
    const announced = workerFacts({ workerId, slots, running, pool: sandbox, program, engines });
    closers.add("announcing", announceWorker({ directory, facts: announced, workerId, report }));

    // A supervisor that reads the ready line may ask the worker to stop at once.
    const asked = askedToStop({ watchParent: config.BULKHEAD_WATCH_PARENT === "1" });
    process.stdout.write(`worker ready (metrics on ${metricsUrl})\n`);
    const why = await asked;
    logger.debug({ why, running: running.size }, "worker stops");
    const graceMs = why === PARENT_GONE ? 0 : config.SHUTDOWN_GRACE_MS;
    await stopGently({ consumer, running, report }, graceMs);
  } finally {
    await closers.close();
  }
}

await runMain("worker", readConfig, main);
