import { openRedis } from "@bulkhead/standalone/stores";
import { createTool, openTenant, RATES_LIFTED, startProduct } from "./product.ts";
import { start, stop } from "./start.ts";

/** Something that runs the bench's tool when its URL is posted to. */
export interface System {
  name: string;
  url: string;
  headers: Record<string, string>;
  close(): Promise<void>;
}

/** The tool that every system runs: a little work on its arguments. */
const CODE = "let sum = 0; for (const n of args.numbers) sum += n; return { sum, of: args.numbers.length };";
export const BODY = JSON.stringify({ arguments: { numbers: [1, 2, 3, 4, 5] } });
export const isRight = (status: number, body: string): boolean =>
  status === 200 && body.includes('"result":{"sum":15,"of":5}');

/** The product, its tool called by a tenant whose limits nothing here meets. `env` is added to its settings. */
export async function startBulkhead(env: Record<string, string> = {}): Promise<System> {
  const product = await startProduct(env);
  const key = await openTenant(product, { ...RATES_LIFTED, maxConcurrentExecutions: 1_000 });
  await createTool(product.url, key, { name: "bench_sum", code: CODE });
  const url = `${product.url}/custom-tools/bench_sum/execute`;
  return { name: "Bulkhead", url, headers: { authorization: `Bearer ${key}` }, close: () => product.close() };
}

/** What a user would write by hand instead: no database, limits, process boundary or stream. */
export async function startByHand(name: string, sandbox: "isolated-vm" | "none"): Promise<System> {
  const redis = await openRedis({
    throwaway: true,
    env: process.env,
  });
  const env = {
    REDIS_URL: redis.socketUrl,
    BASELINE_QUEUE: "calls",
    BASELINE_SANDBOX: sandbox,
    BASELINE_CODE: CODE,
  };
  const worker = await start("test/load/baselines/worker.ts", env, /baseline ready/);
  const api = await start("test/load/baselines/api.ts", env, /^baseline ready on (http:\S+)\n/mu);
  const close = async (): Promise<void> => {
    await Promise.all([stop(api), stop(worker)]);
    await redis.close();
  };
  return { name, url: `${api.line[1]}/execute`, headers: {}, close };
}
