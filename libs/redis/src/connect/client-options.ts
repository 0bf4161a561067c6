import type { ClusterOptions, DNSLookupFunction, RedisOptions } from "ioredis";
import type { RedisTarget } from "./redis-url.ts";

/** A command that Redis has not answered by then fails: its caller must not hang. Milliseconds. */
export const COMMAND_MS_MAX = 2_000;
/** A socket that says nothing for so long after a command is dead and replaced. Milliseconds. */
export const SILENCE_MS_MAX = 5_000;
/** A server that is not there by then is given up for another one, where there is more than one. Milliseconds. */
const CONNECT_MS_MAX = 3_000;
const RECONNECT_MS_MAX = 1_000;

/** The wait before the nth try to reconnect: fast at first, since every waiting tenant feels it. */
export const reconnectMs = (times: number): number =>
  Math.min(50 * 2 ** Math.min(times, 10), RECONNECT_MS_MAX);

/** Commands fail rather than wait; how long they may take is `boundCommand`'s. */
export const FAIL_FAST = {
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  socketTimeout: SILENCE_MS_MAX,
  // A subscriber subscribes again by itself.
  autoResubscribe: false,
} satisfies RedisOptions;

/** Without options of its own; a server's name is checked against its certificate. */
const tlsOf = (isTls: boolean): { tls?: object } => (isTls ? { tls: {} } : {});

/** How one server is reached through a socket of this machine. */
export const socketOptions = ({
  path,
  db,
  username,
  password,
}: Extract<RedisTarget, { kind: "socket" }>) => ({
  path,
  db,
  username,
  password,
});

/** How the master behind Sentinels is found, again after each lost connection. */
export function sentinelOptions(target: Extract<RedisTarget, { kind: "sentinel" }>) {
  const { sentinels, masterName, db, username, password, sentinelUsername, sentinelPassword, isTls } = target;
  return {
    sentinels,
    name: masterName,
    db,
    username,
    password,
    sentinelUsername,
    sentinelPassword,
    ...tlsOf(isTls),
    ...(isTls ? { enableTLSForSentinelMode: true, sentinelTLS: {} } : {}),
    connectTimeout: CONNECT_MS_MAX,
    sentinelCommandTimeout: CONNECT_MS_MAX,
    sentinelRetryStrategy: reconnectMs,
    // A master that has been made a replica: the Sentinels know the new one.
    reconnectOnError: ({ message }: Error) => message.includes("READONLY"),
  } satisfies RedisOptions;
}

const asNamed: DNSLookupFunction = (host, callback) => callback(null, host);

/** How the nodes of a cluster are found and connected; `more` is for each node's connection. */
export function clusterOptions<More extends NonNullable<ClusterOptions["redisOptions"]>>(
  { username, password, isTls }: Extract<RedisTarget, { kind: "cluster" }>,
  more: More,
) {
  return {
    clusterRetryStrategy: reconnectMs,
    // Certificates are for names, not for addresses.
    ...(isTls ? { dnsLookup: asNamed } : {}),
    redisOptions: { username, password, ...tlsOf(isTls), connectTimeout: CONNECT_MS_MAX, ...more },
  };
}
