import { Queue, QueueEvents } from "bullmq";
import { openRedis } from "@bulkhead/standalone/stores";
import { toRedis } from "../baselines/to-redis.ts";
import { start, stop } from "../start.ts";
import { SANDBOX_PROCESSES, SLOTS, type Contender, type LoadTool, type Span } from "./contender.ts";

const QUEUE = "executions";

/** BullMQ types it as text and hands over what the worker returned. */
const spanOf = (returned: unknown): Span => returned as Span;

/** Plain BullMQ before the same pool of sandboxes with as many slots: first come, first served. */
export async function openFifo(): Promise<Contender> {
  const redis = await openRedis({
    throwaway: true,
    env: process.env,
  });
  const env = {
    REDIS_URL: redis.socketUrl,
    BASELINE_QUEUE: QUEUE,
    BASELINE_SLOTS: String(SLOTS),
    BASELINE_PROCESSES: String(SANDBOX_PROCESSES),
  };
  const worker = await start("test/load/baselines/fifo-worker.ts", env, /baseline ready/);
  const connection = toRedis(redis.socketUrl);
  const queue = new Queue(QUEUE, { connection, defaultJobOptions: { removeOnComplete: true } });
  const events = new QueueEvents(QUEUE, { connection });
  await events.waitUntilReady();

  const tools = new Map<string, LoadTool>();
  const spans = new Map<string, Span[]>();
  const waiting = new Map<string, () => void>();
  let jobs = 0;
  const jobOf = (tenant: string, tool: string) => ({
    name: "run",
    data: { tenant, tool: tools.get(`${tenant}/${tool}`) },
    opts: { jobId: `${tenant}/${(jobs += 1)}` },
  });
  events.on("completed", ({ jobId, returnvalue }) => {
    const tenant = jobId.slice(0, jobId.indexOf("/"));
    const own = spans.get(tenant) ?? [];
    spans.set(tenant, own);
    own.push(spanOf(returnvalue));
    waiting.get(jobId)?.();
  });

  const call = async (tenant: string, tool: string): Promise<void> => {
    const { name, data, opts } = jobOf(tenant, tool);
    const ended = new Promise<void>((resolve) => waiting.set(opts.jobId, resolve));
    await queue.add(name, data, opts);
    await ended;
    waiting.delete(opts.jobId);
  };

  return {
    name: "plain BullMQ",
    prepare(tenants) {
      for (const tenant of tenants)
        for (const tool of tenant.tools) tools.set(`${tenant.name}/${tool.name}`, tool);
      return Promise.resolve();
    },
    async call(tenant, tool) {
      await call(tenant, tool);
      return {};
    },
    flood: (tenant, tool) => call(tenant, tool),
    async submit(tenant, names) {
      await queue.addBulk(names.map((name) => jobOf(tenant, name)));
    },
    spans: (tenant) => Promise.resolve(spans.get(tenant) ?? []),
    async close() {
      await Promise.all([queue.close(), events.close(), stop(worker)]);
      await redis.close();
    },
  };
}
