import { createHash } from "node:crypto";
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
    if (server !== null)
      return { close: () => new Promise((closed) => void server.close(() => void closed())) };
    if (await isHeld(path)) return null;
    await rm(path, { force: true });
  }
  return null;
}

/** Null where the path is taken. */
function listening(path: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => void socket.destroy());
    server.once("listening", () => void resolve(server));
    server.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? void resolve(null) : void reject(error),
    );
    server.listen(path);
  });
}

/** A socket of which the process is gone refuses; one that may not be asked is somebody's. */
function isHeld(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once(
      "error",
      ({ code }: NodeJS.ErrnoException) => void resolve(code !== "ECONNREFUSED" && code !== "ENOENT"),
    );
  });
}
