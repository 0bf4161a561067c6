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

/** Where Redis is, and of which kind. */
export type RedisTarget =
  | { kind: "single"; url: string }
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

/** What a URL is refused with; its text never holds a part of the URL. */
class UrlFault extends Error {}

const FORMS =
  "redis://host:port/db, redis+cluster://host:port,host:port or redis+sentinel://host:port,host:port/master-name (rediss for TLS)";
const SHAPE =
  /^(rediss?)(?:\+(cluster|sentinel))?:\/\/(?:([^@/?#]*)@)?([^@/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/u;
const NODE = /^(?:\[([0-9a-f:.]+)\]|([^\s:[\]]+))(?::(\d{1,5}))?$/iu;
const REDIS_PORT = 6_379;
const SENTINEL_PORT = 26_379;
const PORT_MAX = 65_535;
const SENTINEL_PARAMETERS = ["db", "sentinelUsername", "sentinelPassword"];
const DB = /^\d{1,5}$/u;

/**
 * Reads the URL of one Redis, of a Redis Cluster, or of the Sentinels that know a master. What is wrong is told without
 * any part of the URL, which may be a password.
 */
export function parseRedisUrl(text: string): ParsedRedisUrl {
  try {
    return { ok: true, target: read(text) };
  } catch (error) {
    if (error instanceof UrlFault) return { ok: false, fault: error.message };
    throw error;
  }
}

/** What is wrong with the URL of a Redis, or null. */
export function redisUrlFault(text: string): string | null {
  const parsed = parseRedisUrl(text);
  return parsed.ok ? null : parsed.fault;
}

/** Host and port of each server that is named, without user and password. */
export function placeOf(target: RedisTarget): string {
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
  return { kind: "sentinel", sentinels, masterName, ...readParameters(query), ...login };
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

function readParameters(query: string) {
  const parameters = new URLSearchParams(query);
  for (const name of parameters.keys())
    if (!SENTINEL_PARAMETERS.includes(name))
      throw new UrlFault(`must have no other parameters than ${SENTINEL_PARAMETERS.join(", ")}`);
  const db = parameters.get("db") ?? "0";
  if (!DB.test(db)) throw new UrlFault("must name its database by a number, as in ?db=0");
  return {
    db: Number(db),
    sentinelUsername: parameters.get("sentinelUsername") ?? undefined,
    sentinelPassword: parameters.get("sentinelPassword") ?? undefined,
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new UrlFault("must have its user name, password and names percent-encoded");
  }
}
