import { once } from "node:events";
import { chmod, rm } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { join } from "node:path";

/** Bytes that the path of a socket may have on every system: 107 on Linux, 103 on macOS. */
const SOCKET_PATH_BYTES_MAX = 103;
/** Shorter than any server's. */
const PROBE = ".probe";
const PROBE_MS_MAX = 2_000;

/**
 * Whether a server may have a socket of this name in the folder: a deep one leaves no room for its path, and the file systems
 * of some shared folders (of virtual machines and container desktops) hold none.
 */
export async function holdsSocket(folder: string, name: string): Promise<boolean> {
  if (Buffer.byteLength(join(folder, name)) > SOCKET_PATH_BYTES_MAX) return false;
  const probe = join(folder, PROBE);
  // Removes the file of a start that was killed in between.
  await rm(probe, { force: true });
  const server = createServer((connection) => connection.destroy());
  const signal = AbortSignal.timeout(PROBE_MS_MAX);
  try {
    await once(server.listen(probe), "listening", { signal });
    // As PostgreSQL does, and ends where it can't.
    await chmod(probe, 0o700);
    const connection = connect(probe);
    await once(connection, "connect", { signal });
    connection.destroy();
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
