import { startProduct, until, type Product } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTool, newTenant, type Client } from "../support/client.ts";

let product: Product;
let owner: Client;

beforeAll(async () => {
  product = await startProduct({ env: { LOG_LEVEL: "warn" } });
  ({ owner } = await newTenant(product.url, product.adminKey));
  await createTool(
    owner,
    "brief",
    "await new Promise((r) => setTimeout(r, args.ms)); console.log('ran'); return args.n;",
    {
      parameters: { type: "object", properties: { ms: { type: "integer" }, n: { type: "integer" } } },
    },
  );
});

afterAll(() => product?.stop());

const COUNT = 200;

/** Starts executions and answers their ids. */
async function startMany(): Promise<string[]> {
  const accepted = await Promise.all(
    Array.from({ length: COUNT }, (_, n) =>
      owner.post("/api/v1/custom-tools/brief/execute", { arguments: { ms: 200, n }, mode: "async" }),
    ),
  );
  return accepted.map(({ body }) => body.data.executionId);
}

const running = async (): Promise<number> =>
  (await owner.get("/api/v1/executions?status=running")).body.data.executions.length;

/** Waits until all have ended and counts what their streams say of ends: one key for each combination. */
async function endsOf(ids: string[]): Promise<Record<string, number>> {
  await until(
    async () => {
      const { executions } = (await owner.get("/api/v1/executions?limit=200")).body.data;
      const mine = executions.filter(({ id }: { id: string }) => ids.includes(id));
      return (
        mine.length === ids.length && mine.every(({ finishedAt }: { finishedAt?: string }) => finishedAt)
      );
    },
    { timeoutMs: 90_000, what: `all ${ids.length} executions have ended` },
  );
  const counts: Record<string, number> = {};
  for (const id of ids) {
    const events = await (await owner.follow(id)).rest();
    const ends = events.map(({ event }) => event).filter((event) => END.test(event));
    counts[ends.join("+")] = (counts[ends.join("+")] ?? 0) + 1;
  }
  return counts;
}

const END = /succeeded|failed|timed_out|cancelled|lost/;

test("kill -9 of the worker: every execution reaches exactly one terminal state", async () => {
  product.showLogsIfTestFails();
  const ids = await startMany();
  await until(async () => (await running()) > 2, { what: "several executions run" });
  await product.workers[0]?.kill();
  await product.startWorker();
  expect(await endsOf(ids)).toEqual({ "execution.succeeded": COUNT });
  const { executions } = (await owner.get("/api/v1/executions?limit=200")).body.data;
  expect(executions.some(({ attempts }: { attempts: number }) => attempts > 1)).toBe(true);
});

test("kill -9 of Redis and a start with empty data: every execution reaches exactly one terminal state", async () => {
  product.showLogsIfTestFails();
  const ids = await startMany();
  await until(async () => (await running()) > 2, { what: "several executions run" });
  await product.redis?.kill();
  await product.redis?.restartEmpty();
  expect(await endsOf(ids)).toEqual({ "execution.succeeded": COUNT });
});

test("SIGTERM of the worker hands back what runs, and another worker goes on", async () => {
  product.showLogsIfTestFails();
  const { body } = await owner.post("/api/v1/custom-tools/brief/execute", {
    arguments: { ms: 8_000, n: 1 },
    mode: "async",
  });
  await until(async () => (await running()) > 0, { what: "it runs" });
  const old = product.workers.filter((worker) => !worker.hasEnded());
  await product.startWorker();
  await Promise.all(old.map((worker) => worker.stop()));
  const events = await (await owner.follow(body.data.executionId)).rest();
  expect(events.map(({ event }) => event)).toContain("execution.retrying");
  expect(events.at(-1)?.data["execution"]).toMatchObject({ status: "succeeded", result: 1, attempts: 2 });
});
