import { findChromium } from "@bulkhead/testing";
import { mkdtemp, rm } from "node:fs/promises";
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
  return {
    open: (options) => browser.newContext(options),
    close: async () => {
      await browser.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}

export { findChromium };
