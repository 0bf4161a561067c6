import { ensureDemo, hashApiKey } from "@bulkhead/access";
import { RevocableCache } from "@bulkhead/cache";
import { openDatabase } from "@bulkhead/database";
import type { Principal, Signal, Tool } from "@bulkhead/domain";
import { countEnds } from "@bulkhead/execution";
import { openSchemaChecker } from "@bulkhead/json-schema";
import { askedToStop, Closers, compileAtOnce, PARENT_GONE } from "@bulkhead/lifecycle";
import { openExecutionQueue, openWorkerDirectory } from "@bulkhead/queue";
import { serverVersion } from "@bulkhead/redis";
import { SettingsError } from "@bulkhead/settings";
import { openEventStream, openSignalBus, openStreamRedis } from "@bulkhead/stream";
import { openMetrics } from "@bulkhead/telemetry";
import type { Server } from "node:http";
import { setTimeout } from "node:timers/promises";
import { pino } from "pino";
import { buildApi } from "./build-api.ts";
import { readConfig, type ApiConfig } from "./config.ts";
import { ToolLookup } from "./tool-lookup.ts";

/** How many keys and tools are remembered, and for how long without a word of a change. */
const CACHE = { entriesMax: 10_000, ttlMs: 5_000 };

async function main(config: ApiConfig): Promise<void> {
  compileAtOnce();
  const closers = new Closers();
  const logger = pino({ level: config.LOG_LEVEL, name: "api" });
  const report = (what: string, error: unknown): void => logger.warn({ err: error }, what);
  const clock = () => new Date();
  const onError = (error: unknown): void => report("Redis failed", error);
  const stopping = { streams: new AbortController(), waits: new AbortController() };
  try {
    const metrics = closers.add(
      "metrics",
      await openMetrics({
        host: config.METRICS_HOST,
        port: config.METRICS_PORT,
        service: "api",
        onError: (error) => report("reading a metric failed", error),
      }),
    );
    const databaseUrl = config.DATABASE_URL.reveal();
    const redisUrl = config.REDIS_URL.reveal();
    const database = closers.add(
      "database",
      await openDatabase({ url: databaseUrl, poolMax: config.DATABASE_POOL_MAX }),
    );
    const { tools, tenants, apiKeys } = database;
    const executions = countEnds(database.executions, metrics.meter);
    const queue = closers.add("queue", await openExecutionQueue({ redisUrl, onError }));
    const redis = closers.add("stream's Redis", await openStreamRedis({ redisUrl, onError }));
    const signals = closers.add("signals", await openSignalBus({ redis }));
    const findExecution = executions.find.bind(executions);
    const stream = closers.add("stream", openEventStream({ redis, findExecution }));
    const schemas = closers.add("schema checker", openSchemaChecker());
    const directory = closers.add("directory of workers", await openWorkerDirectory({ redisUrl, onError }));

    const trusted = () => signals.connected;
    const principals = new RevocableCache<Principal>({ ...CACHE, trusted });
    const toolCache = new RevocableCache<Tool>({ ...CACHE, trusted });
    const hear = (signal: Signal): void => {
      if (signal.type !== "forget") return;
      (signal.kind === "tool" ? toolCache : principals).revoke(signal.id);
    };
    closers.defer("hearing", signals.subscribe(hear));
    // This process hears of its own changes at once; the others within moments, or when their entries' time is over.
    const publish = async (signal: Signal): Promise<void> => {
      hear(signal);
      await signals
        .publish(signal)
        .catch((error: unknown) => report("telling other processes of a change failed", error));
    };

    const adminKeyHash = config.BULKHEAD_ADMIN_KEY ? hashApiKey(config.BULKHEAD_ADMIN_KEY.reveal()) : null;
    const readiness = {
      postgres: async () => {
        await database.ping();
        return true;
      },
      migrations: async () => (await database.pendingMigrations()).length === 0,
      redis: async () => {
        await redis.commands.ping();
        return signals.connected;
      },
    };
    const api = await buildApi(
      {
        executions,
        tools,
        tenants,
        apiKeys,
        queue,
        stream,
        schemas,
        principals,
        adminKeyHash,
        bus: { publish },
        toolLookup: new ToolLookup(tools, toolCache),
        stopping: { streams: stopping.streams.signal, waits: stopping.waits.signal },
        readiness,
        directory,
        storeVersions: {
          postgres: () => database.serverVersion(),
          redis: () => serverVersion(redis.commands),
        },
        clock,
        report,
      },
      // Fastify tells at level info that it listens, which the ready line already does.
      logger.child({}, config.LOG_LEVEL === "info" ? { level: "warn" } : {}),
    );
    if (config.BULKHEAD_DEMO_KEY)
      await ensureDemo({ tenants, apiKeys, clock }, config.BULKHEAD_DEMO_KEY.reveal());
    await api.listen({ host: config.HOST, port: config.PORT });
    closers.defer("http", () => api.close());
    const { port } = api.server.address() as { port: number };
    process.stdout.write(`api ready on http://${config.HOST}:${port} (metrics on ${metrics.url})\n`);

    const why = await askedToStop({ watchParent: config.BULKHEAD_WATCH_PARENT === "1" });
    logger.debug({ why }, "api stops");
    stopping.streams.abort();
    await closeGently(api.server, why === PARENT_GONE ? 0 : config.SHUTDOWN_GRACE_MS);
  } finally {
    stopping.streams.abort();
    stopping.waits.abort();
    await closers.close();
  }
}

/** Takes nothing new; what waits for a result may get it, within the grace. */
async function closeGently(server: Server, graceMs: number): Promise<void> {
  server.close();
  server.closeIdleConnections();
  const deadline = Date.now() + graceMs;
  const open = () =>
    new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
  while (Date.now() < deadline && (await open()) > 0) await setTimeout(50);
}

try {
  const config = readConfig(process.env);
  // Standalone has all settings looked at before it starts anything.
  if (!process.argv.includes("--check-settings")) await main(config);
} catch (error) {
  process.stderr.write(`${error instanceof SettingsError ? error.message : `api: ${String(error)}`}\n`);
  process.exitCode = 1;
}
