import type { McpBridge, McpLauncher, SchemaChecker } from "@bulkhead/core";
import { openEgressBroker } from "@bulkhead/egress";
import { coverWords, type RunDeps } from "@bulkhead/executions";
import { openMcpBridge, openServers } from "@bulkhead/mcp-bridge";
import type { Platform } from "@bulkhead/platform";
import type { Closers } from "@bulkhead/process";
import { productVersion } from "@bulkhead/process/telemetry";
import { openMcpRoutes } from "@bulkhead/redis";
import { tellStates } from "@bulkhead/tenants";
import { openMcpRegistry } from "@bulkhead/tools";
import type { WorkerConfig } from "./config.ts";
import { countEgress } from "./metrics/count-egress.ts";
import { measureServers, observeServers } from "./metrics/mcp-servers.ts";

interface OpenBridgeInput extends Pick<RunDeps, "configs" | "vault" | "scrubbers" | "scrubRules" | "tally"> {
  config: WorkerConfig;
  schemas: SchemaChecker;
  platform: Platform;
  closers: Closers;
  launcher: McpLauncher;
  /** By which other processes send to this one. */
  workerId: string;
}

/** Opens the way to others' MCP servers, of which this worker holds those that nobody else does. */
export async function openBridge(input: OpenBridgeInput): Promise<McpBridge> {
  const { config, platform, closers, launcher, workerId, tally, ...secrets } = input;
  const { database, redis, signals, tenantEvents, audit, directory, clock, report } = platform;
  const { meter } = platform.metrics;
  const routes = openMcpRoutes(redis, { self: workerId });
  // Each connected server keeps a request open: its tenant's tools have connections of their own.
  const ways = { allow: config.EGRESS_ALLOW, scrubbers: secrets.scrubbers, tally };
  const egress = closers.add("egress of servers", countEgress(openEgressBroker(ways), meter));
  const servers = openServers({
    routes,
    store: tellStates(database.mcpServers, tenantEvents),
    registry: openMcpRegistry({
      servers: database.mcpServers,
      mcpTools: database.mcpTools,
      tools: database.tools,
      schemas: secrets.schemas,
      bus: signals,
      tenantEvents,
      audit,
      clock,
      cover: (tenantId, services) => coverWords(secrets, tenantId, services),
      leftOut: (server, tool, why) => report("a server's tool was left out", why, { ...server, tool }),
    }),
    configs: secrets.configs,
    scrubbers: secrets.scrubbers,
    egress,
    launcher,
    observer: observeServers(meter),
    report,
    version: productVersion(),
  });
  measureServers(servers, meter);
  const workers = async (): Promise<string[]> => (await directory.list()).map((each) => each.workerId);
  return closers.add("bridge", await openMcpBridge({ routes, servers, workers, report }));
}
