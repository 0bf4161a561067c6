import { randomUUID } from "node:crypto";
import { openMcpBridge } from "@bulkhead/mcp-bridge";
import type { Platform } from "@bulkhead/platform";
import type { Closers } from "@bulkhead/process";
import { openMcpRoutes, openMcpSessions } from "@bulkhead/redis";
import { openMcpServerTools, type ServerToolsDeps } from "@bulkhead/tools";
import type { ApiConfig } from "./config.ts";
import { hostsOf } from "./mcp/allowed-hosts.ts";

type Given = Pick<ServerToolsDeps, "bus" | "toolServices"> & {
  config: Pick<ApiConfig, "HOST" | "MCP_HOSTS">;
};

/**
 * Opens the way to others' MCP servers, which workers hold, and what people say about their tools; and what the endpoint for
 * others' clients stands on.
 */
export async function openBridge(platform: Platform, closers: Closers, given: Given) {
  const { config, ...registry } = given;
  const { redis, database, directory, tenantEvents, audit, report } = platform;
  const routes = openMcpRoutes(redis, { self: `api_${randomUUID()}` });
  const workers = async (): Promise<string[]> => (await directory.list()).map(({ workerId }) => workerId);
  const opened = openMcpBridge({ routes, servers: null, workers, report });
  return {
    bridge: closers.add("bridge", await opened),
    mcpServerTools: openMcpServerTools({
      ...database,
      ...registry,
      servers: database.mcpServers,
      tenantEvents,
      audit,
    }),
    mcp: { sessions: openMcpSessions(redis), hosts: hostsOf(config.HOST, config.MCP_HOSTS) },
  };
}
