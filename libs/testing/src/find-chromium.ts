import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream, existsSync, readFileSync } from "node:fs";
import { chmod, mkdir, rename } from "node:fs/promises";
import { findPackageJSON } from "node:module";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";

/** Where Debian puts its own. */
const SYSTEM_CHROMIUM = "/usr/bin/chromium";

/** The system's program where there is one, else the unpacked one, which every user of the machine can start. */
export const findChromium = async (): Promise<string> =>
  existsSync(SYSTEM_CHROMIUM) ? SYSTEM_CHROMIUM : unpackedChromium();

/**
 * The package's Chromium, unpacked once for each install. Two who unpack at a time do each other no harm: what is whole comes
 * in place at once. (The package's own way takes whatever lies in the system's folder for temporary files, half a file too.)
 */
async function unpackedChromium(): Promise<string> {
  // Vitest's module runner, which loads the nightly tests, lacks `import.meta.resolve`.
  const manifest = findPackageJSON("@sparticuz/chromium", import.meta.url);
  if (manifest === undefined) throw new Error("@sparticuz/chromium is not installed");
  const packed = join(dirname(manifest), "bin", "chromium.br");
  const { version } = JSON.parse(readFileSync(manifest, "utf8"));
  const folder = join(import.meta.dirname, "..", "..", "..", "node_modules", ".cache", "bulkhead");
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
