import { join } from "node:path";
import { startGuarded, type GuardedProcess } from "../stores/guarded-process.ts";
import { commandLine, type Unprivileged } from "../stores/unprivileged.ts";

export interface PostgresServer {
  postgres: string;
  way: Unprivileged;
  folder: string;
  logFile: string;
  port: number;
  /** The folder of its socket; null for none. */
  socketFolder: string | null;
  connectionsMax: number;
  stopMsMax: number;
  throwaway: boolean;
}

/** Starts the server of `<folder>/cluster`; it takes connections some moments later. */
export function startPostgres(server: PostgresServer): Promise<GuardedProcess> {
  const settings = Object.entries(serverSettings(server)).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
  const serverArgs = ["-D", join(server.folder, "cluster"), ...settings];
  return startGuarded({
    ...commandLine(server.way, server.postgres, serverArgs),
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C" },
    cwd: server.folder,
    identity: server.way.identity,
    logFile: server.logFile,
    // A fast shutdown.
    stopSignal: "INT",
    stopMsMax: server.stopMsMax,
    removeWith: server.throwaway ? server.folder : null,
  });
}

/** The settings are on the command line, so that a cluster made by an earlier version gets them too. */
function serverSettings(server: PostgresServer): Record<string, string> {
  const { port, socketFolder, connectionsMax, throwaway } = server;
  return {
    listen_addresses: "127.0.0.1",
    port: String(port),
    // A list, in which only a quoted name may have a comma or a space.
    unix_socket_directories: socketFolder === null ? "" : `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: "0700",
    max_connections: String(connectionsMax),
    // A connection without the password frees its slot soon.
    authentication_timeout: "10s",
    shared_buffers: throwaway ? "64MB" : "128MB",
    max_wal_size: "512MB",
    // One server without replicas, and short statements: less in the log, and no compiling of plans.
    wal_level: "minimal",
    max_wal_senders: "0",
    jit: "off",
    timezone: "UTC",
    log_timezone: "UTC",
    log_checkpoints: "off",
    ...(throwaway ? NOTHING_SURVIVES : {}),
  };
}

const NOTHING_SURVIVES = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
};
