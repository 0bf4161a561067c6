import { randomBytes } from "node:crypto";
import { openPostgres, openRedis } from "@bulkhead/standalone/stores";
import { createTool, openTenant, RATES_LIFTED, startProduct } from "../product.ts";
import { start, stop } from "../start.ts";
import { load } from "../load.ts";
import { START_SECONDS, warmUpSeconds, type Figure, type Part } from "./part.ts";
import { inTurns, ratio, using } from "./rounds.ts";

const SLOTS = 4;
const WAIT_MS = 50;
const TENANTS = 4;
const CONNECTIONS_EACH = 8;
const SETTINGS = { WORKER_CONCURRENCY: String(SLOTS), SANDBOX_PROCESSES_MAX: "16" };

/** What a second worker adds where slots are what is short. */
export const workers: Part = {
  name: "workers",
  title: "A second worker",
  how:
    `${TENANTS} tenants over ${TENANTS * CONNECTIONS_EACH} connections call a tool that waits ${WAIT_MS} ms, with one worker of ${SLOTS} slots and, in the ` +
    "same rounds, with two, each beside stores and an API of their own. Processors are shared, so this is about slots, not cores.",
  expectSeconds: (settings) =>
    2 * (START_SECONDS + warmUpSeconds(settings) + settings.rounds * settings.seconds) + 4,
  measure: (settings) =>
    using(openCluster(1), (one) =>
      using(openCluster(2), async (two) => {
        for (const cluster of [one, two]) await cluster.call(warmUpSeconds(settings));
        const [alone = [], both = []] = await inTurns(settings, [
          { name: "one worker", run: () => one.call(settings.seconds) },
          { name: "two workers", run: () => two.call(settings.seconds) },
        ]);
        const figure = (what: string, rounds: number[]): Figure => ({ what, unit: "/s", rounds });
        return [figure("one worker", alone), figure("two workers", both), ratio("two over one", both, alone)];
      }),
    ),
};

interface Cluster {
  /** Answers per second over so many seconds; rejects where one was not right. */
  call(seconds: number): Promise<number>;
  close(): Promise<void>;
}

/** The product with workers besides its own; they share stores of the bench's. */
async function openCluster(workerCount: number): Promise<Cluster> {
  const closing: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const end of closing.toReversed()) await end();
  };
  try {
    const postgres = await openPostgres({ throwaway: true });
    closing.push(() => postgres.close());
    const redis = await openRedis({ throwaway: true, env: process.env });
    closing.push(() => redis.close());
    const BULKHEAD_MASTER_KEY = randomBytes(32).toString("base64");
    const stores = { DATABASE_URL: postgres.url, REDIS_URL: redis.url, BULKHEAD_MASTER_KEY };
    const product = await startProduct({ ...SETTINGS, ...stores });
    closing.push(() => product.close());
    for (let count = 1; count < workerCount; count += 1) {
      const env = { ...SETTINGS, ...stores, METRICS_PORT: "0", LOG_LEVEL: "error" };
      const worker = await start("apps/worker/src/main.ts", env, /worker ready/);
      closing.push(() => stop(worker));
    }
    const keys: string[] = [];
    for (let tenant = 0; tenant < TENANTS; tenant += 1) {
      const key = await openTenant(product, RATES_LIFTED);
      const code = `await new Promise((resolve) => setTimeout(resolve, ${WAIT_MS})); return 'done';`;
      await createTool(product.url, key, { name: "waits", code });
      keys.push(key);
    }
    const url = `${product.url}/custom-tools/waits/execute`;
    return { call: (seconds) => callAll(url, keys, seconds), close };
  } catch (cause) {
    await close();
    throw cause;
  }
}

async function callAll(url: string, keys: string[], seconds: number): Promise<number> {
  const loads = await Promise.all(
    keys.map((key) =>
      load({
        url,
        headers: { authorization: `Bearer ${key}` },
        body: '{"arguments":{}}',
        connections: CONNECTIONS_EACH,
        durationMs: seconds * 1_000,
        isRight: (status, body) => status === 200 && body.includes('"result":"done"'),
      }),
    ),
  );
  const wrong = loads.reduce((sum, one) => sum + one.wrong, 0);
  const first = loads.find((one) => one.wrong > 0)?.firstWrong;
  if (wrong > 0) throw new Error(`${wrong} answers were wrong: ${first}`);
  return loads.reduce((sum, one) => sum + one.perSecond, 0);
}
