import type {
  CapabilityFamilies,
  ExecutionStore,
  McpBridge,
  ScheduleTriggers,
  Scrubbers,
} from "@bulkhead/core";
import { openEgressBroker, openOutside } from "@bulkhead/egress";
import {
  deliverAfterEnd,
  nextRun,
  openToolSchedules,
  tellTries,
  type RunDeps,
  type RunningAttempts,
} from "@bulkhead/executions";
import type { Platform } from "@bulkhead/platform";
import type { Closers } from "@bulkhead/process";
import type { Headroom } from "@bulkhead/process/telemetry";
import {
  limitLinks,
  openSandboxPool,
  openServerLauncher,
  processStat,
  type SandboxPool,
} from "@bulkhead/sandbox";
import { openProcessBoard, openScheduleTriggers } from "@bulkhead/redis";
import { openPolicies } from "@bulkhead/tenants";
import {
  BackgroundCommands,
  findBrowser,
  type FoundBrowser,
  openBrowser,
  openBuiltInTools,
  openData,
  openDatabases,
  openFiles,
  openMemory,
  openMessages,
  openShell,
  openShells,
  openSpeechProgram,
  whereKeptIn,
} from "@bulkhead/tools/built-in";
import { openFileSearch } from "@bulkhead/tools/files";
import { openSchemaChecker } from "@bulkhead/tools/schema";
import { openCallableCache } from "./callable-cache.ts";
import { rememberCodeFaults } from "./code-faults.ts";
import type { WorkerConfig } from "./config.ts";
import { cachedDefinitions } from "./definition-cache.ts";
import { deliverOften } from "./deliver-often.ts";
import { keepMemory } from "./keep-memory.ts";
import { keepSecrets } from "./keep-secrets.ts";
import { LEASE_MS } from "./lease-keeper.ts";
import { countEgress } from "./metrics/count-egress.ts";
import { findSpeaker, imageDefaultOf, speechDefaultOf, type FoundSpeaker } from "./media-settings.ts";
import { observeSandbox } from "./metrics/observe-sandbox.ts";
import { measureSandbox } from "./metrics/sandbox-gauges.ts";
import { timeScrubbers } from "./metrics/timed-scrubbers.ts";
import { openDevices } from "./open-devices.ts";
import { openAdministration } from "./open-administration.ts";
import { openBridge } from "./open-bridge.ts";
import { openBrowsers } from "./open-browsers.ts";
import { reportLayers, reportPrograms } from "./report-layers.ts";
import { searchDefaultOf } from "./search-settings.ts";

interface OpenRunsInput {
  config: WorkerConfig;
  platform: Platform;
  closers: Closers;
  executions: ExecutionStore;
  running: RunningAttempts;
  workerId: string;
  scrubbers: Scrubbers;
  headroom: Headroom;
}

/** Opens what runs of tools need: the way out, the sandboxes, secrets, schemas and tools; and the deliveries of callbacks. */
export async function openRuns({
  config,
  platform,
  closers,
  executions,
  running,
  workerId,
  scrubbers,
  headroom,
}: OpenRunsInput): Promise<{
  run: RunDeps & { mcp: McpBridge };
  sandbox: SandboxPool;
  triggers: ScheduleTriggers;
  chromium: FoundBrowser;
  speaker: FoundSpeaker;
  ownCpuMs: () => number | null;
}> {
  const { database, vault, tracing, queue, stream, signals: bus, tenantEvents, audit } = platform;
  const { areaLogger, clock, report } = platform;
  const { meter } = platform.metrics;
  const { tools, deliveries, dryRuns } = database;
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
  const told = tellTries(deliveries, tenantEvents.runs, clock);
  const delivering = closers.add(
    "deliveries",
    deliverOften({ executions, deliveries: told, egress, vault, tracing, meter, clock, report }),
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
  const callable = closers.add(
    "callable tools",
    openCallableCache({ tools, catalogue: database.catalogue, bus }),
  );
  const search = closers.add("search of files", openFileSearch());
  const files = { ...database, search };
  const launcher = closers.add("server processes", openServerLauncher());
  const shells = closers.add(
    "shells",
    openShells({ limitLinks, memoryOf: (pid) => processStat(pid)?.rssMib ?? null }, launcher),
  );
  const board = openProcessBoard(platform.redis);
  const callers = { executions, apiKeys: database.apiKeys, clock };
  const background = closers.add(
    "commands in the background",
    new BackgroundCommands(board, callers, report),
  );
  const stores = { ...database, configs: secrets.forRuns.configs };
  const { databases, mail } = closers.add("databases and mail", openOutside({ allow: config.EGRESS_ALLOW }));
  const schemas = closers.add("schema checker", openSchemaChecker());
  const policies = openPolicies(database);
  const servers = { config, platform, closers, launcher, workerId, schemas, ...secrets.forRuns, tally };
  const mcp = await openBridge(servers);
  const triggers = closers.add(
    "triggers of schedules",
    await openScheduleTriggers({ ...platform.redisInput, nextRun }),
  );
  const { findTool } = callable;
  const planning = { ...database, triggers, schemas, policies, findTool, executions, audit, clock, report };
  const chromium = await whereKeptIn(await findBrowser(config.CHROMIUM, config.PATH), launcher, "browser");
  const speaker = await whereKeptIn(await findSpeaker(config.PATH), launcher, "server");
  reportPrograms({ ...config, chromium, speaker }, areaLogger("sandbox"));
  const browsers = await openBrowsers({ chromium, platform, closers, launcher, egress, workerId });
  const browser = openBrowser({ tenants: database.tenants, browsers });
  const capabilities = {
    data: openData(database),
    files: openFiles(files),
    memory: openMemory(keepMemory({ config, scrubbers, closers, stores, report })),
    shell: openShell({ ...files, ...shells, background }),
    db: openDatabases(databases),
    email: openMessages({ mail, egress, counts: database.messageCounts, tenants: database.tenants, clock }),
    schedule: openToolSchedules(planning),
    nodes: openDevices(platform, closers, schemas),
    gateway: openAdministration({ platform, closers, executions, mcp, schemas, policies, triggers }),
    get browser() {
      return browsers.canBeHad ? browser : undefined;
    },
  } satisfies CapabilityFamilies;
  const provider = closers.add(
    "built-in tools",
    openBuiltInTools(capabilities, {
      search: { configs: secrets.forRuns.configs, byDefault: searchDefaultOf(config) },
      images: { configs: secrets.forRuns.configs, byDefault: imageDefaultOf(config) },
      speech: {
        configs: secrets.forRuns.configs,
        byDefault: speechDefaultOf(config),
        program: "missing" in speaker ? speaker : openSpeechProgram(launcher, speaker.file),
      },
      browser: "missing" in chromium ? null : { launcher, chromium: chromium.file },
    }),
  );
  const run: RunDeps & { mcp: McpBridge } = {
    tracing,
    executions: deliverAfterEnd(executions, delivering.kick),
    queue,
    stream,
    mcp,
    sandbox: observeSandbox(sandbox, meter),
    egress,
    bus,
    tenantEvents,
    audit,
    schemas,
    approvals: database.approvals,
    policies,
    provider,
    capabilities,
    findTool,
    listActiveTools: callable.listActiveTools,
    findDefinition: cachedDefinitions(tools),
    findCodeFault: rememberCodeFaults(),
    ...secrets.forRuns,
    tally,
    dryRuns,
    running,
    clock,
    report,
    workerId,
    leaseMs: LEASE_MS,
  };
  return { run, sandbox, triggers, chromium, speaker, ownCpuMs: () => ownCpuMs(sandbox) };
}

/**
 * Processor time of this process and of the living sandboxes so far, in milliseconds; null if the system doesn't tell. The
 * time of ended sandboxes is not included.
 */
function ownCpuMs(pool: Pick<SandboxPool, "stats">): number | null {
  const own = processStat(process.pid);
  if (own === null) return null;
  let sumMs = own.cpuMs;
  for (const { pid } of pool.stats().processes) sumMs += processStat(pid)?.cpuMs ?? 0;
  return sumMs;
}
