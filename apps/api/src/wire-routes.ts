import type { AuthenticateDeps } from "@bulkhead/tenants";
import { draftTool, type DraftDeps, type MetaToolDeps } from "@bulkhead/agents";
import type {
  AuditLog,
  Clock,
  DeviceLines,
  EgressPolicy,
  EventStream,
  ExecutionLoads,
  ExecutionQueue,
  ExecutionStore,
  McpBridge,
  McpServerTools,
  McpSessions,
  RateLimiter,
  ScheduleTriggers,
  SchemaChecker,
  Scrubbers,
  SignalBus,
  TenantEvents,
  ToolServices,
  TypeStripper,
  Vault,
} from "@bulkhead/core";
import {
  allowAny,
  denyAny,
  getAnyApproval,
  countWaiting,
  type StandingCounter,
  listAnyApprovals,
  type Report,
  type SweepCallsDeps,
} from "@bulkhead/executions";
import type { Database } from "@bulkhead/postgres";
import type { Tracing } from "@bulkhead/process/telemetry";
import { unpackPiece } from "@bulkhead/redis";
import { checkPattern } from "@bulkhead/scrub";
import { coverReason, serviceConfigs, tenantScrubRules } from "@bulkhead/tenants";
import type { ToolDeps } from "@bulkhead/tools";
import { BUILT_IN_TOOLS } from "@bulkhead/tools/built-in";
import type { FileSearch } from "@bulkhead/tools/files";
import type { MemoryEngine } from "@bulkhead/tools/memory";
import { streamArchive, toolArchive } from "@bulkhead/tools/packages";
import { readTemplates } from "@bulkhead/tools/templates";
import { parseJsonText } from "./edge/json-body.ts";
import type { ApiScope } from "./edge/route-schema.ts";
import { given } from "./given.ts";
import type { openCaches } from "./open-caches.ts";
import { mcpRoutes } from "./mcp/mcp-routes.ts";
import { accessTokenRoute } from "./routes/access/access-tokens.ts";
import { meRoute } from "./routes/access/me.ts";
import { approvalRoutes } from "./routes/approvals/approvals.ts";
import { standingApprovalRoutes } from "./routes/approvals/standing-approvals.ts";
import { assistRoute } from "./routes/assist/assist.ts";
import { tryOutDraft } from "./routes/assist/try-out.ts";
import { auditRoutes } from "./routes/audit/audit.ts";
import { configEntryRoutes } from "./routes/config/config-entries.ts";
import { configServiceRoutes } from "./routes/config/config-services.ts";
import { scrubRuleRoutes } from "./routes/config/scrub-rules.ts";
import { deliveryRoutes } from "./routes/deliveries/deliveries.ts";
import { eventRoutes } from "./routes/events/events.ts";
import { batchRoute } from "./routes/executions/batches.ts";
import { executeRoute } from "./routes/executions/execute.ts";
import { executionRoutes } from "./routes/executions/executions.ts";
import { replayRoutes } from "./routes/executions/replays.ts";
import { payloadRoutes } from "./routes/executions/payloads.ts";
import { statsRoute } from "./routes/executions/stats.ts";
import { testToolRoute } from "./routes/executions/test-tool.ts";
import { wireExecutions } from "./routes/executions/wire-executions.ts";
import { mcpAccessRoutes } from "./routes/mcp-servers/mcp-access-requests.ts";
import { mcpGrantRoutes } from "./routes/mcp-servers/mcp-grants.ts";
import { mcpServerRoutes } from "./routes/mcp-servers/mcp-servers.ts";
import { mcpServerToolRoutes } from "./routes/mcp-servers/mcp-server-tools.ts";
import { callToolRoute } from "./routes/meta-tools/call-tool.ts";
import { useMetaToolPolicy } from "./routes/meta-tools/denied-meta-tools.ts";
import { confirmedMetaToolRoutes } from "./routes/meta-tools/confirmed-meta-tools.ts";
import { metaToolRoutes } from "./routes/meta-tools/meta-tools.ts";
import { runCodeRoute } from "./routes/meta-tools/run-code.ts";
import { wireMetaTools } from "./routes/meta-tools/wire-meta-tools.ts";
import { policyRoutes } from "./routes/policy/policy.ts";
import { deviceRoutes } from "./routes/devices/devices.ts";
import { scheduleMoveRoutes } from "./routes/schedules/schedule-moves.ts";
import { scheduleRoutes } from "./routes/schedules/schedules.ts";
import { wireSchedules } from "./routes/schedules/wire-schedules.ts";
import { dataChangeRoutes } from "./routes/data/data-changes.ts";
import { dataRoutes } from "./routes/data/data.ts";
import { fileMoveRoutes } from "./routes/files/file-moves.ts";
import { fileRoutes } from "./routes/files/files.ts";
import { putFileRoute } from "./routes/files/put-file.ts";
import { memoryRoute } from "./routes/memory/memory.ts";
import { loadRoutes } from "./routes/system/load.ts";
import { apiEngines } from "./routes/system/api-engines.ts";
import { systemRoutes, type SystemDeps } from "./routes/system/system.ts";
import { apiKeyRoutes } from "./routes/tenants/api-keys.ts";
import { tenantExportRoutes } from "./routes/tenants/tenant-export.ts";
import { tenantSettingsRoutes } from "./routes/tenants/tenant-settings.ts";
import { tenantRoutes } from "./routes/tenants/tenants.ts";
import { catalogueRoutes } from "./routes/tools/catalogue.ts";
import { customToolRoutes } from "./routes/tools/custom-tools.ts";
import { putToolRoute } from "./routes/tools/put-tool.ts";
import { builtInToolRoutes } from "./routes/tools/built-in-tools.ts";
import { templateRoutes } from "./routes/tools/templates.ts";
import { toolMoveRoutes } from "./routes/tools/tool-moves.ts";
import { toolPackageRoutes } from "./routes/tools/tool-packages.ts";
import { typeRoutes } from "./routes/tools/types.ts";
import type { EnginesHere } from "./watch-engines.ts";
import { wireTools } from "./routes/tools/wire-tools.ts";
import { usageRoutes } from "./routes/usage/usage.ts";
import { evidenceRoutes } from "./routes/versions/evidence.ts";
import { reviewRoutes } from "./routes/versions/reviews.ts";
import { versionRoutes } from "./routes/versions/versions.ts";

/** The routes stand on what main has opened. */
export interface Opened {
  access: AuthenticateDeps;
  database: Omit<Database, "executions">;
  executions: ExecutionStore;
  queue: ExecutionQueue & ExecutionLoads;
  rateLimiter: RateLimiter;
  stream: EventStream;
  standingUses: Pick<StandingCounter, "saw">;
  tenantEvents: TenantEvents;
  signals: SignalBus;
  triggers: ScheduleTriggers;
  caches: Pick<ReturnType<typeof openCaches>, "definitions" | "toolLookup" | "bus">;
  engines: EnginesHere;
  vault: Vault;
  scrubbers: Scrubbers;
  fileSearch: FileSearch;
  memoryEngine: MemoryEngine;
  schemas: SchemaChecker;
  stripper: TypeStripper;
  egressPolicy: EgressPolicy;
  audit: AuditLog;
  toolServices: ToolServices;
  rehearse: ToolDeps["rehearse"];
  metaTools: Pick<MetaToolDeps, "metaToolGate"> & Pick<SweepCallsDeps, "doMetaTool">;
  system: Omit<SystemDeps, "engines">;
  mcp: { sessions: McpSessions; hosts: readonly string[] | null };
  assist: Pick<DraftDeps, "model" | "countDraft">;
  /** The operator gave tenants a search engine. */
  hasSearch: boolean;
  bridge: Pick<McpBridge, "refresh" | "drop" | "isHeld">;
  mcpServerTools: McpServerTools;
  deviceLines: DeviceLines;
  /** Fire when this process stops: streams end first, waits have a grace. */
  stopping: { streams: AbortSignal; waits: AbortSignal };
  tracing: Tracing;
  clock: Clock;
  report: Report;
}

/** Puts every route on, each with what it uses. Their order is that of the reference. */
export function wireRoutes(api: ApiScope, mcp: ApiScope, opened: Opened): void {
  const { database, executions, queue, rateLimiter, tenantEvents, signals, stopping, vault } = opened;
  const { tools, catalogue, tenants, approvals, auditEntries, configServices, usage, executionStats } =
    database;
  const { toolLookup, bus } = opened.caches;
  const { hasEngine, workersHave } = opened.engines;
  const { tenantDeletions, tenantExports, deliveries, webhookSecrets, scrubRules, scrubCounts } = database;
  const { audit, clock, report } = opened;
  const patterns = { check: checkPattern };

  // The executions are those of `opened`, whose ends are counted.
  const ports = { ...database, ...opened.caches, ...opened.engines, ...opened.metaTools, ...opened };
  const templates = readTemplates();
  const registry = wireTools(ports);
  const metaTools = wireMetaTools(ports);
  const calls = wireExecutions(ports);
  const schedules = wireSchedules(ports);
  const answers = given(
    { ...ports, bus },
    { listAnyApprovals, countWaiting, getAnyApproval, allowAny, denyAny },
  );
  const reasons = given(ports, { coverReason });

  const drafting = {
    ...ports,
    ...opened.assist,
    configs: serviceConfigs(ports),
    openScrubber: async (tenantId: string) =>
      opened.scrubbers.open(await tenantScrubRules(ports).open(tenantId)),
    parseJson: parseJsonText,
    tryOut: tryOutDraft({ ...calls, ...opened }),
  };

  useMetaToolPolicy(api);
  tenantRoutes(api, { tenants, catalogue, tenantDeletions, queue, bus, audit, clock, report });
  tenantExportRoutes(api, {
    tenants,
    tenantExports,
    unpackLog: unpackPiece,
    streamArchive,
    signals,
    stopping,
    audit,
    clock,
  });
  apiKeyRoutes(api, { tenants, apiKeys: database.apiKeys, bus, audit, clock });
  meRoute(api, {
    ...database,
    hasModel: opened.assist.model !== null,
    hasBrowser: () => hasEngine("browser"),
  });
  accessTokenRoute(api, { access: opened.access, audit });
  customToolRoutes(api, registry);
  putToolRoute(api, registry);
  catalogueRoutes(api, { ...registry, catalogue, definitions: opened.caches.definitions });
  typeRoutes(api, { ...registry, definitions: opened.caches.definitions });
  metaToolRoutes(api, metaTools);
  confirmedMetaToolRoutes(api, metaTools);
  callToolRoute(api, { ...calls, clock });
  runCodeRoute(api, { ...calls, ...opened.metaTools, checkDraft: registry.checkDraft, rateLimiter, clock });
  toolMoveRoutes(api, registry);
  const { hasSearch } = opened;
  builtInToolRoutes(api, { ...database, builtIns: BUILT_IN_TOOLS, hasEngine, workersHave, hasSearch });
  templateRoutes(api, { templates });
  assistRoute(api, { ...registry, ...given(drafting, { draftTool }), stopping });
  toolPackageRoutes(api, { ...registry, archive: toolArchive });
  versionRoutes(api, registry);
  reviewRoutes(api, { ...registry, ...reasons });
  evidenceRoutes(api, { ...registry, ...calls });
  executeRoute(api, { ...calls, clock });
  testToolRoute(api, { ...calls, checkDraft: registry.checkDraft, clock });
  executionRoutes(api, { ...calls, executions, tools });
  payloadRoutes(api, calls);
  statsRoute(api, { executionStats, tools, clock });
  batchRoute(api, { ...calls, toolLookup, clock });
  replayRoutes(api, { ...calls, tools });
  eventRoutes(api, { tenantEvents, signals, stopping });
  deliveryRoutes(api, { executions, deliveries, webhookSecrets, vault, audit });
  deviceRoutes(api, { ...database, lines: opened.deviceLines, audit, clock, report });
  scheduleRoutes(api, schedules);
  scheduleMoveRoutes(api, schedules);
  approvalRoutes(api, { ...answers, ...reasons, catalogue });
  standingApprovalRoutes(api, { approvals, audit });
  tenantSettingsRoutes(api, { tenants, catalogue, bus, audit });
  configServiceRoutes(api, { configServices, vault, audit, clock });
  configEntryRoutes(api, { configServices, vault, audit, clock });
  const fileDeps = { ...database, search: opened.fileSearch, audit };
  fileRoutes(api, fileDeps);
  putFileRoute(api, fileDeps);
  fileMoveRoutes(api, fileDeps);
  dataRoutes(api, { ...database, audit });
  dataChangeRoutes(api, { ...database, audit });
  memoryRoute(api, { ...database, ...opened.memoryEngine, configs: drafting.configs });
  policyRoutes(api, { ...database, bus, audit });
  mcpServerRoutes(api, { ...ports, bus });
  mcpServerToolRoutes(api, ports);
  mcpGrantRoutes(api, { ...ports, bus });
  mcpAccessRoutes(api, { ...ports, ...reasons, bus });
  scrubRuleRoutes(api, { scrubRules, scrubCounts, patterns, vault, bus, audit, clock });
  auditRoutes(api, { auditEntries });
  usageRoutes(api, { usage, tools, clock });
  loadRoutes(api, { loads: queue, tenants });
  systemRoutes(api, {
    ...opened.system,
    engines: () => apiEngines({ ...opened.memoryEngine, model: opened.assist.model, hasSearch }),
  });
  mcpRoutes(mcp, { ...ports, ...registry, ...metaTools, ...calls, ...opened.mcp, templates });
}
