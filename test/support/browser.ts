import { findChromium } from "@bulkhead/testing";
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type BrowserContext, type BrowserContextOptions } from "playwright-core";

/** Nothing but what a page asks for reaches the network, and as root no sandbox of its own can be had. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export interface Browser {
  /** A browser of its own, with nothing kept from others. */
  open(options?: BrowserContextOptions): Promise<BrowserContext>;
  close(): Promise<void>;
}

/** Starts a real Chromium: the system's where there is one, else the one that an npm package brings. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = await findChromium();
  const home = await mkdtemp(join(tmpdir(), "bulkhead-browser-"));
  const browser = await chromium.launch({ executablePath, args: FLAGS, env: { ...process.env, HOME: home } });
  const forgetHome = (): void => rmSync(home, { recursive: true, force: true });
  process.once("exit", forgetHome);
  return {
    open: (options) => browser.newContext(options),
    close: async () => {
      await browser.close();
      process.off("exit", forgetHome);
      forgetHome();
    },
  };
}

let shared: Promise<Browser> | null = null;

/**
 * The browser of all test files that this process runs, one after the other: each start costs as much as several tests, and
 * so does the first page. It ends with the process.
 */
export const sharedBrowser = (): Promise<Browser> => (shared ??= startBrowser());

export { findChromium };
