// Bulkhead's pool of sandboxes behind one BullMQ queue for all tenants, as one would put it together without a
// dispatcher: whatever is first in the queue is run next.
import { openSandboxPool } from "@bulkhead/sandbox";
import { Worker, type Job } from "bullmq";
import { Listener, NEVER, toolRun } from "../../security/support/tool-run.ts";
import type { LoadTool } from "../fairness/contender.ts";
import { toRedis } from "./to-redis.ts";

const slots = Number(process.env["BASELINE_SLOTS"]);
const pool = openSandboxPool({ processesMax: Number(process.env["BASELINE_PROCESSES"]) });
await pool.layers();

interface Order {
  tenant: string;
  tool: LoadTool;
}

async function run({ data }: Job<Order>): Promise<{ startMs: number; endMs: number }> {
  const { tenant, tool } = data;
  const startMs = Date.now();
  const { code, limits = {}, name } = tool;
  await pool.run(
    toolRun({ code, limits, tenantId: tenant, isolateKey: `${tenant}/${name}` }),
    new Listener(),
    NEVER,
  );
  return { startMs, endMs: Date.now() };
}

const worker = new Worker<Order>(process.env["BASELINE_QUEUE"] ?? "", run, {
  connection: toRedis(),
  concurrency: slots,
});
await worker.waitUntilReady();
process.stdout.write("baseline ready\n");
// What is running has nobody who waits for it any more; the sandboxes end with the pool.
process.once("SIGTERM", () => void pool.close().finally(() => process.exit(0)));
