import {
  openTestDatabase,
  queryRows,
  startProduct,
  type Product,
  type ProductWorker,
} from "@bulkhead/testing";
import { randomBytes } from "node:crypto";
import { openEffectServer } from "./effect-server.ts";
import { SMALL_PROCESSES, type Ground } from "./ground.ts";

export interface FleetInput {
  /** The caller's. */
  redisUrl: string;
  apis: number;
  workers: number;
}

/** Several APIs and workers on one Postgres and one Redis, without proxies; calls take turns with the serving APIs. */
export interface Fleet extends Ground {
  readonly size: { readonly apis: number };
  /** How many calls went to each API. */
  readonly calls: readonly number[];
  /** The living ones, oldest first. */
  workers(): ProductWorker[];
  startWorker(): Promise<ProductWorker>;
  /** No call is sent to it any more, as a load balancer does; then it is stopped, started, and called again. */
  restartApi(at: number): Promise<void>;
  logs(): string;
  close(): Promise<void>;
}

const key = (): string => `bh_${randomBytes(24).toString("hex")}`;

/** What was started is ended when something does not start. */
export async function openFleet({ redisUrl, apis, workers }: FleetInput): Promise<Fleet> {
  const closing: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (let step = closing.pop(); step; step = closing.pop())
      await step().catch((cause: unknown) => failures.push(cause));
    if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join("; "));
  };
  try {
    const database = await openTestDatabase();
    closing.push(() => database.close());
    const effects = await openEffectServer();
    closing.push(() => effects.close());
    const keys = {
      BULKHEAD_MASTER_KEY: randomBytes(32).toString("base64"),
      BULKHEAD_ADMIN_KEY: key(),
      BULKHEAD_DEMO_KEY: key(),
    };
    const env = { ...SMALL_PROCESSES, ...keys };
    const products: Product[] = [];
    for (let at = 0; at < apis; at += 1) {
      const product = await startProduct({ redisUrl, databaseUrl: database.url, env, workers: 0 });
      products.push(product);
      closing.push(() => product.stop());
    }
    const fleet = assemble(products, effects, database.url, close);
    for (let count = 0; count < workers; count += 1) await fleet.startWorker();
    return fleet;
  } catch (cause) {
    await close();
    throw cause;
  }
}

function assemble(
  products: Product[],
  effects: Ground["effects"],
  databaseUrl: string,
  close: () => Promise<void>,
): Fleet {
  const [first] = products;
  if (!first) throw new Error("a fleet has an API");
  const serving = products.map((product, at) => ({ product, at }));
  const calls = products.map(() => 0);
  const next = (): Product => {
    const one = serving.shift();
    if (!one) throw new Error("no API serves");
    serving.push(one);
    calls[one.at] = (calls[one.at] ?? 0) + 1;
    return one.product;
  };
  return {
    product: {
      adminKey: first.adminKey,
      get url() {
        return next().url;
      },
    },
    size: { apis: products.length },
    calls,
    effects,
    sql: (statement, values) => queryRows(databaseUrl, statement, values),
    workers: () => first.workers.filter((worker) => !worker.hasEnded()),
    startWorker: () => first.startWorker(),
    restartApi: async (at) => {
      const place = serving.findIndex((one) => one.at === at);
      const [one] = serving.splice(place, 1);
      if (place < 0 || !one) throw new Error(`API ${at} does not serve`);
      await one.product.api.restart();
      serving.push(one);
    },
    logs: () => products.map((product) => product.logs()).join("\n"),
    close,
  };
}
