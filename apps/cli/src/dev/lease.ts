import { createHash } from "node:crypto";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Held by one process of this machine at a time. */
export interface Lease {
  close(): Promise<void>;
}

/** What a crash left is taken away once; who is there again then has come in between. */
const TRIES_MAX = 2;
const NAME_CHARS = 16;

/** Sockets have short paths, whatever the parts are. */
export function leasePath(parts: readonly string[]): string {
  const name = createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, NAME_CHARS);
  return process.platform === "win32"
    ? `\\\\.\\pipe\\bulkhead-dev-${name}`
    : join(tmpdir(), `bulkhead-dev-${name}.sock`);
}

/**
 * Null where another process holds it. It is a socket that somebody listens on, so that it ends with its process, however that
 * ends: the number of a process may be another's by then. Throws what the system says where there can be no socket.
 */
export async function takeLease(path: string): Promise<Lease | null> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const server = await listening(path);
    if (server !== null) return { close: () => closed(server) };
    if (await isHeld(path)) return null;
    await rm(path, { force: true });
  }
  return null;
}

/** Null where the path is taken. */
async function listening(path: string): Promise<Server | null> {
  const server = createServer((socket) => void socket.destroy()).listen(path);
  try {
    await once(server, "listening");
    return server;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") return null;
    throw error;
  }
}

async function closed(server: Server): Promise<void> {
  server.close();
  await once(server, "close");
}

/** A socket of which the process is gone refuses; one that may not be asked is somebody's. */
async function isHeld(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, "connect");
    return true;
  } catch (error) {
    return !["ECONNREFUSED", "ENOENT"].includes((error as NodeJS.ErrnoException).code ?? "");
  } finally {
    socket.destroy();
  }
}
