import { afterAll, beforeAll, expect, test } from "vitest";
import { leakCheck, openSse, startProduct, until, type Product } from "./index.ts";

leakCheck();

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product?.stop());

const headers = (): Record<string, string> => ({
  authorization: `Bearer ${product.demoKey}`,
  "content-type": "application/json",
});

async function createTool(name: string, code: string): Promise<void> {
  const tool = { name, description: "For a test.", parameters: { type: "object" }, code };
  const response = await fetch(`${product.url}/api/v1/custom-tools`, {
    method: "POST",
    headers: headers(),
    body: JSON.stringify(tool),
  });
  expect(response.status).toBe(201);
}

test("the product serves and its event streams can be read to their end", async () => {
  product.showLogsIfTestFails();
  await createTool("count", "emit(1); emit(2); return 3");
  const stream = await openSse(`${product.url}/api/v1/custom-tools/count/execute`, {
    headers: headers(),
    body: { arguments: {}, mode: "stream" },
  });
  const events = await stream.rest();
  expect(events.map(({ event }) => event)).toEqual([
    "execution.queued",
    "execution.started",
    "execution.progress",
    "execution.progress",
    "execution.succeeded",
  ]);
  await stream.close();
});

test("a stream that is refused tells the status and why", async () => {
  const refused = openSse(`${product.url}/api/v1/executions/exe_none/events`, { headers: headers() });
  await expect(refused).rejects.toThrow(/answered 40\d.*execution\.not_found|answered 400/u);
});

test("a killed worker can be replaced, a killed API comes back at its address", async () => {
  product.showLogsIfTestFails();
  await product.workers[0]?.kill();
  await product.startWorker();
  expect(product.workers.map((worker) => worker.hasEnded())).toEqual([true, false]);
  const before = product.api.pid;
  await product.api.kill();
  await product.api.restart();
  expect(product.api.pid).not.toBe(before);
  await until(async () => (await fetch(`${product.url}/readyz`)).ok, { what: "the API is ready again" });
});

test("a process that can't start is told with all it printed", async () => {
  await expect(startProduct({ env: { LOG_LEVEL: "loud" }, workers: 0 })).rejects.toThrow(
    /apps\/api\/src\/main\.ts did not get ready.*LOG_LEVEL/su,
  );
});
