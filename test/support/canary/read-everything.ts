import { queryRows, type Product } from "@bulkhead/testing";
import { Redis } from "ioredis";

/** Every place where a running product keeps or shows something, by name, as text. */
export async function readEverything(product: Product): Promise<Map<string, string>> {
  return new Map([
    ...(await readPostgres(product.databaseUrl)),
    ...(await Promise.all(serversOf(product.redisUrl).map(readRedis))).flat(),
    ...(await readMetrics(product)),
    ["standard output and error", product.logs()],
  ]);
}

async function readPostgres(url: string): Promise<[string, string][]> {
  const tables = await queryRows(
    url,
    `SELECT format('SELECT %L AS name, t::text AS row FROM %I.%I t', tablename, schemaname, tablename) AS read
     FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  // In one statement: a connection for each of the tables would cost far more than what they hold.
  const rows = await queryRows(url, tables.map(({ read }) => read).join(" UNION ALL "));
  const byTable = Map.groupBy(rows, ({ name }) => `table ${String(name)}`);
  // A row's own quotes and backslashes are doubled in its text.
  const asWritten = (row: unknown) => String(row).replaceAll('""', '"').replaceAll("\\\\", "\\");
  return [...byTable].map(([name, all]) => [name, all.map(({ row }) => asWritten(row)).join("\n")]);
}

/** Those that hold keys: a cluster's nodes, or the one. */
function serversOf(url: string): string[] {
  const { login, hosts } = /^redis(?:\+cluster)?:\/\/(?<login>.*@)(?<hosts>.+)$/u.exec(url)?.groups ?? {};
  if (hosts === undefined) throw new Error("nobody reads such a Redis here");
  return hosts.split(",").map((host) => `redis://${login}${host}`);
}

async function readRedis(url: string): Promise<[string, string][]> {
  const redis = new Redis(url);
  try {
    const read: [string, string][] = [];
    for await (const keys of redis.scanStream({ count: 500 }) as AsyncIterable<string[]>)
      for (const key of keys) read.push([`key ${key}`, `${key}\n${await readKey(redis, key)}`]);
    return read;
  } finally {
    redis.disconnect();
  }
}

async function readKey(redis: Redis, key: string): Promise<string> {
  const type = await redis.type(key);
  switch (type) {
    case "string":
      return (await redis.get(key)) ?? "";
    case "hash":
      return Object.entries(await redis.hgetall(key)).join("\n");
    case "list":
      return (await redis.lrange(key, 0, -1)).join("\n");
    case "set":
      return (await redis.smembers(key)).join("\n");
    case "zset":
      return (await redis.zrange(key, "0", "-1", "WITHSCORES")).join("\n");
    case "stream":
      return (await redis.xrange(key, "-", "+")).join("\n");
    case "none":
      return "";
    default:
      throw new Error(`nobody reads a ${type} here`);
  }
}

const readMetrics = ({ api, workers }: Product): Promise<[string, string][]> =>
  Promise.all(
    [api.metricsUrl, ...workers.map(({ metricsUrl }) => metricsUrl)].map(
      async (url): Promise<[string, string]> => [`metrics of ${url}`, await (await fetch(url)).text()],
    ),
  );
