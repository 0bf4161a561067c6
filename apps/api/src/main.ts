import { ensureDemo, openPolicies, toolServices } from "@bulkhead/tenants";
import { openPlatform } from "@bulkhead/platform";
import { openEgressPolicy } from "@bulkhead/egress";
import { countEnds, nextRun, StandingCounter, tellRuns } from "@bulkhead/executions";
import { openSchemaChecker } from "@bulkhead/tools/schema";
import { askedToStop, Closers, compileAtOnce, PARENT_GONE, runMain } from "@bulkhead/process";
import { openLoginCodes, openScheduleTriggers } from "@bulkhead/redis";
import { listenRefusal } from "@bulkhead/process/settings";
import { watchHeadroom } from "@bulkhead/process/telemetry";
import { openScrubbers } from "@bulkhead/scrub";
import { openFileSearch } from "@bulkhead/tools/files";
import { openTypeStripper } from "@bulkhead/tools/types";
import { buildApi, closeGently } from "./build-api.ts";
import { readConfig, type ApiConfig } from "./config.ts";
import { httpLines } from "./edge/late-logger.ts";
import { openAccess } from "./open-access.ts";
import { openBridge } from "./open-bridge.ts";
import { openCaches } from "./open-caches.ts";
import { openDevices } from "./open-devices.ts";
import { openModels } from "./open-model.ts";
import { confirmedMetaTools, sweepApprovals } from "./routes/meta-tools/confirmed-calls.ts";
import { tryOutProposals } from "./routes/tools/wire-tools.ts";
import { readinessOf, storeVersionsOf } from "./readiness.ts";
import { watchEngines } from "./watch-engines.ts";
import { wireRoutes } from "./wire-routes.ts";

async function main(config: ApiConfig): Promise<void> {
  compileAtOnce();
  const closers = new Closers();
  const stopping = { streams: new AbortController(), waits: new AbortController() };
  try {
    const { headroom } = closers.add("headroom", watchHeadroom());
    const scrubbers = openScrubbers();
    const platform = await openPlatform({ config, service: "api", closers, headroom, scrubbers });
    const { logger, areaLogger, nothingKnown, report, tracing, metrics, database, vault, audit } = platform;
    const { queue, redis, rateLimiter, signals, stream, tenantEvents, directory, clock } = platform;
    const { tools, catalogue, tenants, apiKeys, approvals, metaToolApprovals, configServices } = database;
    const counted = countEnds(database.executions, metrics.meter);
    const executions = tellRuns(counted, tenantEvents.runs, clock);
    const schemas = closers.add("schema checker", openSchemaChecker());
    const stripper = closers.add("type stripper", openTypeStripper());
    const fileSearch = closers.add("search of files", openFileSearch());
    const triggers = closers.add(
      "triggers of schedules",
      await openScheduleTriggers({ ...platform.redisInput, nextRun }),
    );
    const engines = closers.add("engines", await watchEngines({ directory, report }));
    const { principals, definitions, toolLookup, bus, changes } = closers.add(
      "caches",
      openCaches({ signals, tools, catalogue, configServices, builtIns: engines.builtIns, report }),
    );
    const { access } = closers.add("access", openAccess({ config, apiKeys, principals, clock, report }));
    const standingUses = closers.add("standing approvals", new StandingCounter({ approvals, clock, report }));
    const submitting = {
      tracing,
      executions,
      queue,
      stream,
      schemas,
      rateLimiter,
      approvals,
      standingUses,
      tenantEvents,
      clock,
      report,
    };
    const rehearse = tryOutProposals({ ...submitting, dryRuns: database.dryRuns, bus });
    const services = toolServices({ configServices, audit, clock });
    const metaTools = confirmedMetaTools({
      ...submitting,
      tools,
      catalogue,
      stripper,
      vault,
      metaToolApprovals,
      audit,
      toolServices: services,
      bus,
      rehearse,
    });
    closers.add(
      "sweeping approvals",
      sweepApprovals({ metaToolApprovals, tenants, tenantEvents, doMetaTool: metaTools.doMetaTool, report }),
    );
    const bridged = await openBridge(platform, closers, { bus, toolServices: services, config });
    const devices = openDevices(platform, closers, { schemas, stopping: stopping.streams.signal });
    const api = await buildApi({
      logger: areaLogger("http").child({}, httpLines(config.LOG_LEVEL, nothingKnown)),
      tracing,
      meter: metrics.meter,
      readiness: readinessOf(platform),
      access: { ...access, policies: openPolicies(database), loginCodes: openLoginCodes(redis) },
      rateLimit: { rateLimiter, changes, report },
      corsOrigins: config.CORS_ORIGINS,
      devices: devices.edge,
      routes: (scope, mcp) =>
        wireRoutes(scope, mcp, {
          ...submitting,
          access,
          database,
          signals,
          triggers,
          caches: { definitions, toolLookup, bus },
          engines,
          vault,
          scrubbers,
          fileSearch,
          stripper,
          egressPolicy: openEgressPolicy(config.EGRESS_ALLOW),
          audit,
          toolServices: services,
          rehearse,
          metaTools,
          system: {
            directory,
            shards: config.DISPATCH_SHARDS,
            storeVersions: storeVersionsOf(platform),
          },
          ...bridged,
          deviceLines: devices.lines,
          hasSearch: config.SEARCH_PROVIDER !== undefined,
          ...openModels({ config, scrubbers, closers, meter: metrics.meter }),
          stopping: { streams: stopping.streams.signal, waits: stopping.waits.signal },
        }),
    });
    if (config.BULKHEAD_DEMO_KEY)
      await ensureDemo({ tenants, apiKeys, audit, clock }, config.BULKHEAD_DEMO_KEY.reveal());
    await api.ready();
    const place = { host: config.HOST, port: config.PORT };
    await api.listen(place).catch((cause: NodeJS.ErrnoException) => {
      throw listenRefusal({ ...place, hostName: "HOST", portName: "PORT" }, cause);
    });
    closers.defer("http", () => api.close());
    const { port } = api.server.address() as { port: number };
    // A supervisor that reads the ready line may ask the API to stop at once.
    const asked = askedToStop({ watchParent: config.BULKHEAD_WATCH_PARENT === "1" });
    process.stdout.write(`api ready on http://${config.HOST}:${port} (metrics on ${metrics.url})\n`);

    const why = await asked;
    logger.debug({ why }, "api stops");
    stopping.streams.abort();
    await closeGently(api.server, why === PARENT_GONE ? 0 : config.SHUTDOWN_GRACE_MS);
  } finally {
    stopping.streams.abort();
    stopping.waits.abort();
    await closers.close();
  }
}

await runMain("api", readConfig, main);
