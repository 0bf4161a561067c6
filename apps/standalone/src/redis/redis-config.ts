export interface RedisConfig {
  folder: string;
  pidFile: string;
  port: number;
  /** A socket for clients on this machine; null for none. */
  socket: string | null;
  password: string;
  /** False: nothing is ever written to disk. */
  durable: boolean;
}

/** The text of redis.conf. A file, not arguments: the password would show in the list of processes. */
export function redisConfig(config: RedisConfig): string {
  const lines = [
    "bind 127.0.0.1",
    `port ${config.port}`,
    ...(config.socket === null ? [] : [`unixsocket ${quoted(config.socket)}`, "unixsocketperm 700"]),
    "protected-mode yes",
    `requirepass ${config.password}`,
    `dir ${quoted(config.folder)}`,
    `pidfile ${quoted(config.pidFile)}`,
    "daemonize no",
    // The command line keeps the path of this file, by which a leftover server is known for ours.
    "set-proc-title no",
    // BullMQ needs it: an evicted key is a lost job.
    "maxmemory-policy noeviction",
    `appendonly ${config.durable ? "yes" : "no"}`,
    "appendfsync everysec",
    // The append-only file is the one truth; snapshots beside it would only cost.
    'save ""',
  ];
  return `${lines.join("\n")}\n`;
}

function quoted(path: string): string {
  return `"${path.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
