// What a user would write by hand: Fastify puts the call into BullMQ and waits until the job is done.
import { Queue, QueueEvents } from "bullmq";
import fastify from "fastify";
import { toRedis } from "./to-redis.ts";

const connection = toRedis();
const name = process.env["BASELINE_QUEUE"] ?? "";
const queue = new Queue(name, {
  connection,
  defaultJobOptions: { removeOnComplete: { count: 5_000 }, removeOnFail: true },
});
const events = new QueueEvents(name, { connection });
await events.waitUntilReady();
// Each call that waits listens to both.
for (const emitter of [queue, events]) emitter.setMaxListeners(0);

const app = fastify();
app.post("/execute", async (request) => {
  const job = await queue.add("call", request.body);
  return { result: await job.waitUntilFinished(events, 60_000) };
});
const address = await app.listen({ host: "127.0.0.1", port: 0 });
process.stdout.write(`baseline ready on ${address}\n`);
