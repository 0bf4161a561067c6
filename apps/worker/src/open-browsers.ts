import type { EgressBroker, McpLauncher } from "@bulkhead/core";
import type { Platform } from "@bulkhead/platform";
import type { Closers } from "@bulkhead/process";
import { openMcpRoutes } from "@bulkhead/redis";
import { Browsers, startBrowser, type FoundBrowser } from "@bulkhead/tools/built-in";
import { Repeating } from "./repeating.ts";

interface OpenBrowsersInput {
  chromium: FoundBrowser;
  platform: Pick<Platform, "redis" | "directory" | "report">;
  closers: Closers;
  launcher: McpLauncher;
  egress: Pick<EgressBroker, "open">;
  workerId: string;
}

/** How often a worker without a Chromium looks which others have one; milliseconds. */
const LOOK_MS = 3_000;

/** What is sent to a worker about browsers has a mailbox of its own. */
const mailboxOf = (workerId: string): string => `${workerId}:browsers`;

/** The browsers of this worker, and the way to those of others, which alone there is where this machine has no Chromium. */
export async function openBrowsers(input: OpenBrowsersInput): Promise<Browsers> {
  const { chromium, platform, closers, launcher, egress, workerId } = input;
  const { directory, report } = platform;
  let starters: readonly string[] = [];
  const look = async (): Promise<void> => {
    const workers = await directory.list();
    const able = workers.filter(({ engines }) => engines.some(canStartOne));
    starters = able.map((worker) => mailboxOf(worker.workerId));
  };
  const start =
    "missing" in chromium
      ? null
      : (tenantId: string, signal: AbortSignal) =>
          startBrowser({ launcher, chromium: chromium.file }, tenantId, signal);
  if (start === null) {
    const how = { firstMs: 0 };
    closers.add("looking for browsers", new Repeating("looking for browsers", LOOK_MS, look, report, how));
  }
  const routes = openMcpRoutes(platform.redis, { self: mailboxOf(workerId) });
  const deps = { start, starters: () => starters, routes, egress, report };
  return closers.add("browsers", await Browsers.open(deps));
}

const canStartOne = ({ engine, available }: { engine: string; available: boolean }): boolean =>
  engine === "browser" && available;
