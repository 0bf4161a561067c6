// The other half of what a user would write by hand: the job runs in the worker's own process, in a fresh context of
// isolated-vm or, with BASELINE_SANDBOX=none, with no sandbox at all.
import { Worker, type Job } from "bullmq";
import ivm from "isolated-vm";
import { toRedis } from "./to-redis.ts";

const CODE = process.env["BASELINE_CODE"] ?? "";
const connection = toRedis();

async function inFreshContext(args: unknown): Promise<unknown> {
  const isolate = new ivm.Isolate({ memoryLimit: 50 });
  const context = await isolate.createContext();
  await context.global.set("args", new ivm.ExternalCopy(args).copyInto());
  const script = await isolate.compileScript(`(async () => { ${CODE} })()`);
  const result: unknown = await script.run(context, { promise: true, copy: true, timeout: 5_000 });
  context.release();
  isolate.dispose();
  return result;
}

const AsyncFunction = (async () => undefined).constructor as new (
  name: string,
  code: string,
) => (args: unknown) => Promise<unknown>;
const bare = new AsyncFunction("args", CODE);

const run = process.env["BASELINE_SANDBOX"] === "none" ? bare : inFreshContext;
const worker = new Worker(process.env["BASELINE_QUEUE"] ?? "", (job: Job) => run(job.data.arguments), {
  connection,
  concurrency: 32,
});
await worker.waitUntilReady();
process.stdout.write("baseline ready\n");
