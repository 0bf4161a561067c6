import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { startProduct, until, type Product } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTool, newTenant, type Client } from "../support/client.ts";

let product: Product;
let owner: Client;
let upstream: Server;
let requests = 0;

beforeAll(async () => {
  upstream = createServer((_request, response) => {
    requests += 1;
    response.end("noted");
  });
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  product = await startProduct({ env: { EGRESS_ALLOW: "127.0.0.0/8", LOG_LEVEL: "warn" } });
  ({ owner } = await newTenant(product));
});

afterAll(async () => {
  await product?.stop();
  upstream?.close();
});

test("a worker that was paused past its lease causes no effect and writes nothing when it wakes", async () => {
  product.showLogsIfTestFails();
  const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/`;
  await createTool(
    owner,
    "two_effects",
    `await fetch("${url}"); await new Promise((r) => setTimeout(r, 8_000)); await fetch("${url}"); return "both";`,
    { permissions: ["network"] },
  );
  const { executionId } = (await owner.post("/api/v1/custom-tools/two_effects/execute", { mode: "async" }))
    .body.data;
  await until(() => requests === 1, { what: "the first effect has happened" });
  const [paused] = product.workers;
  process.kill(paused?.pid ?? 0, "SIGSTOP");
  await product.startWorker();
  const path = `/api/v1/executions/${executionId}`;
  const ended = await until(
    async () => {
      const { data } = (await owner.get(path)).body;
      return data.finishedAt ? data : null;
    },
    { timeoutMs: 80_000, what: "the other worker has given the execution up" },
  );
  expect(ended).toMatchObject({ status: "lost", error: { code: "execution.lost" } });
  process.kill(paused?.pid ?? 0, "SIGCONT");
  // Awake again, it serves like any other: by then it has dealt with what it had held.
  await createTool(owner, "quick", "return 1;");
  for (let call = 0; call < 40; call += 1) await owner.post("/api/v1/custom-tools/quick/execute");
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  expect(requests).toBe(1);
  expect((await owner.get(path)).body.data).toEqual(ended);
  const events = await (await owner.follow(executionId)).rest();
  expect(events.at(-1)?.event).toBe("execution.lost");
});
