// Plain BullMQ, measured step by step: what a queue costs that asks nothing about tenants.
import { Queue, Worker, type Job } from "bullmq";
import type { Redis } from "ioredis";
import { measureOp, type Op } from "../dispatch/ops.ts";
import { serverProbe } from "../dispatch/server-probe.ts";

const NAME = "plain";
const TOKEN = "bench";
const BULK_SIZE = 1_000;
const WARM_UP = 50;

/** Adding, fetching and completing one job beside `waiting` others, each by itself. */
export async function measurePlainQueue(
  { redis, redisUrl }: { redis: Redis; redisUrl: string },
  { waiting, count }: { waiting: number; count: number },
): Promise<Record<"add" | "fetch" | "complete", Op>> {
  const connection = { url: redisUrl };
  const defaultJobOptions = { attempts: 1, removeOnComplete: true, removeOnFail: true };
  const queue = new Queue(NAME, { connection, defaultJobOptions });
  const worker = new Worker(NAME, null, { connection, autorun: false });
  try {
    await worker.waitUntilReady();
    for (let from = 0; from < waiting; from += BULK_SIZE)
      await queue.addBulk(Array.from({ length: Math.min(BULK_SIZE, waiting - from) }, jobOf));
    const isOurs = (command: string[]): boolean => command[0]?.toLowerCase().startsWith("eval") === true;
    const probe = serverProbe(redis, isOurs);
    const taken: Job[] = [];
    const addOne = async (): Promise<void> => {
      const { name, data } = jobOf();
      await queue.add(name, data);
    };
    const fetchOne = async (): Promise<void> => {
      const job = await worker.getNextJob(TOKEN, { block: false });
      if (job) taken.push(job);
    };
    const completeOne = async (): Promise<void> => {
      await taken.shift()?.moveToCompleted("", TOKEN, false);
    };
    for (const step of [addOne, fetchOne, completeOne]) await measureOp(WARM_UP, probe, step);
    const add = await measureOp(count, probe, addOne);
    const fetch = await measureOp(count, probe, fetchOne);
    if (taken.length < count) throw new Error("plain BullMQ handed out less than was added");
    return { add, fetch, complete: await measureOp(count, probe, completeOne) };
  } finally {
    await Promise.all([worker.close(true), queue.close()]);
  }
}

const jobOf = () => ({
  name: "run",
  data: { tenantId: "ten_0123456789abcdef", executionId: `exe_${"0".repeat(32)}`, attempt: 1 },
});
