import type { EgressBroker, McpLauncher } from "@bulkhead/core";
import type { Platform } from "@bulkhead/platform";
import type { Closers } from "@bulkhead/process";
import { openMcpRoutes } from "@bulkhead/redis";
import { Browsers, startBrowser, type FoundBrowser } from "@bulkhead/tools/built-in";

interface OpenBrowsersInput {
  chromium: FoundBrowser;
  platform: Pick<Platform, "redis" | "report">;
  closers: Closers;
  launcher: McpLauncher;
  egress: Pick<EgressBroker, "open">;
  workerId: string;
}

/** The browsers of this worker, and the way to those of others; null where this machine has no Chromium. */
export async function openBrowsers(input: OpenBrowsersInput): Promise<Browsers | null> {
  const { chromium, platform, closers, launcher, egress, workerId } = input;
  if ("missing" in chromium) return null;
  const start = (tenantId: string, signal: AbortSignal) =>
    startBrowser({ launcher, chromium: chromium.file }, tenantId, signal);
  // What is sent to a worker about browsers has a mailbox of its own.
  const routes = openMcpRoutes(platform.redis, { self: `${workerId}:browsers` });
  return closers.add("browsers", await Browsers.open({ start, routes, egress, report: platform.report }));
}
