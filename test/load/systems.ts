import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent } from "node:http";
import { freePort, openRedis } from "@bulkhead/stores";
import { post } from "./load.ts";
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

/** The product as `npm start` runs it: embedded Postgres and Redis, data on disk. */
export async function startBulkhead(): Promise<System> {
  const dataDir = await mkdtemp(join(tmpdir(), "bulkhead-bench-"));
  const key = `bh_${randomBytes(24).toString("hex")}`;
  const port = await freePort();
  const ports = { PORT: String(port), METRICS_PORT: "0" };
  const env = { ...ports, DATA_DIR: dataDir, BULKHEAD_DEMO_KEY: key, LOG_LEVEL: "warn" };
  const child = await start("apps/standalone/src/main.ts", env, /bulkhead ready on/);
  const base = `http://127.0.0.1:${port}/api/v1/custom-tools`;
  const headers = { authorization: `Bearer ${key}` };
  const tool = {
    name: "bench_sum",
    description: "Adds numbers.",
    parameters: { type: "object" },
    code: CODE,
  };
  const agent = new Agent();
  const made = await post(agent, { url: base, headers, body: JSON.stringify(tool) });
  agent.destroy();
  if (made.status !== 201) throw new Error(`the bench's tool was refused: ${made.body}`);
  const close = async (): Promise<void> => {
    await stop(child);
    await rm(dataDir, { recursive: true, force: true });
  };
  return { name: "Bulkhead", url: `${base}/bench_sum/execute`, headers, close };
}

/** What a user would write by hand instead: no database, limits, process boundary or stream. */
export async function startByHand(name: string, sandbox: "isolated-vm" | "none"): Promise<System> {
  const redis = await openRedis({
    throwaway: true,
    env: process.env,
    fetchedDir: join(tmpdir(), "bulkhead-redis"),
  });
  const port = await freePort();
  const env = {
    REDIS_URL: redis.url,
    PORT: String(port),
    BASELINE_QUEUE: "calls",
    BASELINE_SANDBOX: sandbox,
    BASELINE_CODE: CODE,
  };
  const worker = await start("test/load/baselines/worker.ts", env, /baseline ready/);
  const api = await start("test/load/baselines/api.ts", env, /baseline ready/);
  const close = async (): Promise<void> => {
    await Promise.all([stop(api), stop(worker)]);
    await redis.close();
  };
  return { name, url: `http://127.0.0.1:${port}/execute`, headers: {}, close };
}
