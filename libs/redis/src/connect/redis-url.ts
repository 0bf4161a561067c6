/** One server as a URL names it. */
export interface RedisNode {
  host: string;
  port: number;
}

interface Login {
  isTls: boolean;
  username: string | undefined;
  password: string | undefined;
}

/** The address and the kind of a Redis. */
export type RedisTarget =
  | { kind: "single"; url: string }
  | { kind: "socket"; path: string; db: number; username: string | undefined; password: string | undefined }
  | ({ kind: "cluster"; nodes: RedisNode[] } & Login)
  | ({
      kind: "sentinel";
      sentinels: RedisNode[];
      masterName: string;
      db: number;
      sentinelUsername: string | undefined;
      sentinelPassword: string | undefined;
    } & Login);

export type ParsedRedisUrl = { ok: true; target: RedisTarget } | { ok: false; fault: string };

/** Why a URL is refused; the message never holds a part of the URL. */
class UrlFault extends Error {}

const FORMS =
  "redis://host:port/db, redis+unix:///path/of/socket, redis+cluster://host:port,host:port or " +
  "redis+sentinel://host:port,host:port/master-name (rediss for TLS)";
const SHAPE =
  /^(rediss?)(?:\+(cluster|sentinel|unix))?:\/\/(?:([^@/?#]*)@)?([^@/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/u;
const NODE = /^(?:\[([0-9a-f:.]+)\]|([^\s:[\]]+))(?::(\d{1,5}))?$/iu;
const REDIS_PORT = 6_379;
const SENTINEL_PORT = 26_379;
const PORT_MAX = 65_535;
/** Linux's; its own end of a text is the 108th. */
const SOCKET_PATH_BYTES_MAX = 107;
const SOCKET_PARAMETERS = ["db"];
const SENTINEL_PARAMETERS = ["db", "sentinelUsername", "sentinelPassword"];
const DB = /^\d{1,5}$/u;

/**
 * Reads the URL of one Redis, by its host or its socket, of a Redis Cluster, or of the Sentinels that know a master. A
 * fault is described without any part of the URL, which may be a password.
 */
export function parseRedisUrl(text: string): ParsedRedisUrl {
  try {
    return { ok: true, target: read(text) };
  } catch (error) {
    if (error instanceof UrlFault) return { ok: false, fault: error.message };
    throw error;
  }
}

/** The fault of a Redis URL, or null. */
export function redisUrlFault(text: string): string | null {
  const parsed = parseRedisUrl(text);
  return parsed.ok ? null : parsed.fault;
}

/** Host and port, or the socket, of each server that is named, without user and password. */
export function placeOf(target: RedisTarget): string {
  if (target.kind === "socket") return target.path;
  if (target.kind === "cluster") return listOf(target.nodes);
  if (target.kind === "sentinel") return `Sentinels ${listOf(target.sentinels)}`;
  const { hostname, port } = new URL(target.url);
  return `${hostname || "localhost"}:${port || REDIS_PORT}`;
}

const listOf = (nodes: RedisNode[]): string => nodes.map(({ host, port }) => `${host}:${port}`).join(", ");

function read(text: string): RedisTarget {
  const match = SHAPE.exec(text);
  if (!match) throw new UrlFault(`must be a URL of the form ${FORMS}`);
  const [, protocol, kind, userinfo, hosts = "", path = "", query = ""] = match;
  if (kind === undefined) {
    if (!URL.canParse(text)) throw new UrlFault(`must be a URL of the form ${FORMS}`);
    if (path.includes("@"))
      throw new UrlFault("must not name a user behind the host: a password's / is written as %2F");
    return { kind: "single", url: text };
  }
  if (kind === "unix") return readSocket(protocol, userinfo, hosts, path, query);
  const login = { isTls: protocol === "rediss", ...readLogin(userinfo) };
  if (kind === "cluster") {
    if (path !== "") throw new UrlFault("must not name a database: a Redis Cluster has only one");
    if (query !== "") throw new UrlFault("must not have parameters after the nodes of a Redis Cluster");
    return { kind, nodes: readNodes(hosts, REDIS_PORT), ...login };
  }
  const sentinels = readNodes(hosts, SENTINEL_PORT);
  const masterName = decoded(path);
  if (masterName === "" || masterName.includes("/"))
    throw new UrlFault("must end with / and the master's name that the Sentinels know");
  const { db, parameters } = readParameters(query, SENTINEL_PARAMETERS);
  const sentinelLogin = {
    sentinelUsername: parameters.get("sentinelUsername") ?? undefined,
    sentinelPassword: parameters.get("sentinelPassword") ?? undefined,
  };
  return { kind: "sentinel", sentinels, masterName, db, ...sentinelLogin, ...login };
}

function readSocket(
  protocol: string | undefined,
  userinfo: string | undefined,
  hosts: string,
  encodedPath: string,
  query: string,
): RedisTarget {
  if (protocol === "rediss") throw new UrlFault("must not ask for TLS on a socket of this machine");
  if (hosts !== "" || encodedPath === "")
    throw new UrlFault("must name no host and an absolute path, as in redis+unix:///run/redis.sock");
  if (encodedPath.includes("@"))
    throw new UrlFault("must name user and password before the path, whose own @ is written as %40");
  const path = `/${decoded(encodedPath)}`;
  if (path.includes("\0") || Buffer.byteLength(path) > SOCKET_PATH_BYTES_MAX)
    throw new UrlFault(`must name a path of at most ${SOCKET_PATH_BYTES_MAX} bytes, as every socket's`);
  const { db } = readParameters(query, SOCKET_PARAMETERS);
  return { kind: "socket", path, db, ...readLogin(userinfo) };
}

function readLogin(userinfo: string | undefined): Pick<Login, "username" | "password"> {
  if (userinfo === undefined) return { username: undefined, password: undefined };
  const colon = userinfo.indexOf(":");
  const [username, password] =
    colon < 0 ? [userinfo, ""] : [userinfo.slice(0, colon), userinfo.slice(colon + 1)];
  return { username: decoded(username) || undefined, password: decoded(password) || undefined };
}

function readNodes(hosts: string, defaultPort: number): RedisNode[] {
  const all = hosts.split(",");
  return all.map((text, at) => {
    const [, ipv6, name, port] = NODE.exec(text) ?? [];
    const host = ipv6 ?? name;
    const number = port === undefined ? defaultPort : Number(port);
    if (host === undefined || number < 1 || number > PORT_MAX)
      throw new UrlFault(`server ${at + 1} of ${all.length} must be host or host:port`);
    return { host, port: number };
  });
}

function readParameters(query: string, known: string[]): { db: number; parameters: URLSearchParams } {
  const parameters = new URLSearchParams(query);
  for (const name of parameters.keys())
    if (!known.includes(name)) throw new UrlFault(`must have no other parameters than ${known.join(", ")}`);
  const db = parameters.get("db") ?? "0";
  if (!DB.test(db)) throw new UrlFault("must name its database by a number, as in ?db=0");
  return { db: Number(db), parameters };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new UrlFault("must have its user name, password and names percent-encoded");
  }
}
