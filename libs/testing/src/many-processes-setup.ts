import type { TestProject } from "vitest/node";
import { asAdmin } from "./admin-statement.ts";
import { balanceRequests } from "./balance-requests.ts";
import { openProductRedis } from "./product-redis.ts";
import { startProduct } from "./product.ts";
import { serveSharedProduct, sharedEnv, sharedKeys, type OpenedProduct } from "./serve-shared-product.ts";

/** A machine that isn't in UTC: neither stored nor shown values may differ for it. */
const TIME_ZONE = "America/New_York";

/** APIs, and as many workers. */
const PROCESSES = 3;

let close: () => Promise<void>;

/**
 * Test files of the project share several APIs, which take requests in turn, and as many workers, on a Redis Cluster and a
 * database in another time zone.
 */
export async function setup(project: TestProject): Promise<void> {
  close = await serveSharedProduct(project, openMany);
}

export const teardown = (): Promise<void> => close();

async function openMany(databaseUrl: string): Promise<OpenedProduct> {
  const database = new URL(databaseUrl).pathname.slice(1);
  await asAdmin(databaseUrl, `alter database ${database} set timezone to '${TIME_ZONE}'`);
  const redis = await openProductRedis("cluster");
  const keys = sharedKeys();
  const env = { ...(await sharedEnv()), ...redis.env, ...keys };
  const stores = { databaseUrl, redisUrl: redis.server.url };
  // Each an API and a worker, with the same stores and keys.
  const products = await Promise.all(
    Array.from({ length: PROCESSES }, () => startProduct({ ...stores, env })),
  );
  const urls = products.map(({ url }) => url);
  const balancer = await balanceRequests(urls);
  return {
    url: balancer.url,
    adminKey: keys.BULKHEAD_ADMIN_KEY,
    redisUrl: stores.redisUrl,
    env,
    beside: () => Promise.resolve(urls.at(-1) ?? balancer.url),
    logs: () => products.map((product) => product.logs()).join("\n"),
    close: async () => {
      await balancer.close();
      await Promise.all(products.map((product) => product.stop()));
      await redis.server.close();
    },
  };
}
