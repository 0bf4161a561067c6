import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { ensurePrivateFolder } from "./private-folder.ts";
import { StoreError } from "./store-error.ts";

/** How long a store may take to end before it is ended by force. */
export const STOP_MS_MAX = 5_000;

/**
 * The place of a store's data: under a data folder, durably; or, for tests, in a temporary folder that is removed when the
 * store ends, with everything off that makes data survive.
 */
export type StoreLocation = { dataDir: string; throwaway?: false } | { throwaway: true; dataDir?: null };

/** The port of a store, on 127.0.0.1. */
export interface StorePort {
  /** Exactly this port; any free one when unset. */
  port?: number;
  /** Ports that are excluded when any will do: they are free now, but taken soon. */
  portsKept?: readonly number[];
}

/** The store's own folder, absolute, there, and closed to other users. */
export async function openStoreFolder(
  location: StoreLocation,
  store: "postgres" | "redis",
): Promise<{ folder: string; throwaway: boolean }> {
  // The guard is a POSIX shell.
  if (process.platform === "win32") {
    throw new StoreError(
      "The embedded stores run on Linux and macOS. On Windows set DATABASE_URL and REDIS_URL, or use WSL.",
    );
  }
  if (location.throwaway)
    return { folder: await mkdtemp(join(tmpdir(), `bulkhead-${store}-`)), throwaway: true };
  const folder = join(resolve(location.dataDir), store);
  await ensurePrivateFolder(resolve(location.dataDir));
  await ensurePrivateFolder(folder);
  return { folder, throwaway: false };
}
