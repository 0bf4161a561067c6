import { randomUUID } from "node:crypto";
import { openMcpBridge } from "@bulkhead/mcp-bridge";
import type { Platform } from "@bulkhead/platform";
import type { Closers } from "@bulkhead/process";
import { openMcpRoutes } from "@bulkhead/redis";
import { openMcpServerTools, type ServerToolsDeps } from "@bulkhead/tools";

type Given = Pick<ServerToolsDeps, "bus" | "toolServices">;

/** Opens the way to others' MCP servers, which workers hold, and what people say about their tools. */
export async function openBridge(platform: Platform, closers: Closers, given: Given) {
  const { redis, database, directory, tenantEvents, audit, report } = platform;
  const routes = openMcpRoutes(redis, { self: `api_${randomUUID()}` });
  const workers = async (): Promise<string[]> => (await directory.list()).map(({ workerId }) => workerId);
  const opened = openMcpBridge({ routes, servers: null, workers, report });
  return {
    bridge: closers.add("bridge", await opened),
    mcpServerTools: openMcpServerTools({ ...database, ...given, tenantEvents, audit }),
  };
}
