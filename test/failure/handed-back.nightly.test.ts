import { startProduct, until, type Product } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTool, newTenant, type Client } from "../support/client.ts";

let product: Product;
let owner: Client;

beforeAll(async () => {
  // A grace much shorter than the run, which is not done by then although the signal comes late.
  product = await startProduct({ env: { LOG_LEVEL: "warn", SHUTDOWN_GRACE_MS: "500" } });
  ({ owner } = await newTenant(product));
  await createTool(owner, "long", "await new Promise((r) => setTimeout(r, 8_000)); return 1;");
});

afterAll(() => product?.stop());

const running = async (): Promise<number> =>
  (await owner.get("/api/v1/executions?status=running")).body.data.executions.length;

test("SIGTERM of the worker hands back what runs, and another worker goes on", async () => {
  product.showLogsIfTestFails();
  const { body } = await owner.post("/api/v1/custom-tools/long/execute", {
    mode: "async",
    timeoutMs: 120_000,
  });
  await until(async () => (await running()) > 0, { what: "it runs" });
  const old = product.workers.filter((worker) => !worker.hasEnded());
  await Promise.all([product.startWorker(), ...old.map((worker) => worker.stop())]);
  const events = await (await owner.follow(body.data.executionId)).rest();
  expect(events.map(({ event }) => event)).toContain("execution.retrying");
  expect(events.at(-1)?.data["execution"]).toMatchObject({ status: "succeeded", result: 1, attempts: 2 });
});
