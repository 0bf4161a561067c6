import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream, existsSync, readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { createBrotliDecompress } from "node:zlib";
import { chromium, type BrowserContext, type BrowserContextOptions } from "playwright-core";

/** Where Debian puts its own. */
const SYSTEM_CHROMIUM = "/usr/bin/chromium";

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

/** The system's program where there is one, else the unpacked one, which every user of the machine can start. */
export const findChromium = async (): Promise<string> =>
  existsSync(SYSTEM_CHROMIUM) ? SYSTEM_CHROMIUM : unpackedChromium();

/**
 * The package's Chromium, unpacked once for each install. Two who unpack at a time do each other no harm: what is whole comes
 * in place at once. (The package's own way takes whatever lies in the system's folder for temporary files, half a file too.)
 */
async function unpackedChromium(): Promise<string> {
  const packed = fileURLToPath(new URL("../bin/chromium.br", import.meta.resolve("@sparticuz/chromium")));
  const manifest = fileURLToPath(new URL("../package.json", import.meta.resolve("@sparticuz/chromium")));
  const { version } = JSON.parse(readFileSync(manifest, "utf8"));
  const folder = join(import.meta.dirname, "..", "..", "node_modules", ".cache", "bulkhead");
  const path = join(folder, `chromium-${version}`);
  if (existsSync(path)) {
    await chmod(path, 0o755);
    return path;
  }
  await mkdir(folder, { recursive: true });
  const part = `${path}.${randomUUID()}`;
  await pipeline(
    createReadStream(packed),
    createBrotliDecompress(),
    createWriteStream(part, { mode: 0o755 }),
  );
  await rename(part, path);
  return path;
}
