import { startProduct, until, type Product } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTool, newTenant, type Client } from "../support/client.ts";

let product: Product;
let owner: Client;

beforeAll(async () => {
  product = await startProduct({ env: { LOG_LEVEL: "warn" } });
  ({ owner } = await newTenant(product));
  await createTool(owner, "inner", "await new Promise((r) => setTimeout(r, args.ms)); return 'inner';", {
    parameters: { type: "object", properties: { ms: { type: "integer" } } },
    limits: { wallMs: 60_000 },
  });
  const code = "return utils.callTool('inner', { ms: context.callId === 'slow' ? 8_000 : 30_000 });";
  await createTool(owner, "careless", code, { limits: { wallMs: 60_000 } });
  await createTool(owner, "repeatable", code, { limits: { wallMs: 60_000 }, idempotent: true });
});

afterAll(() => product?.stop());

const start = async (name: string, callId: string): Promise<string> => {
  const body = { mode: "async", context: { callId }, timeoutMs: 120_000 };
  return (await owner.post(`/api/v1/custom-tools/${name}/execute`, body)).body.data.executionId;
};
const read = async (id: string) => (await owner.get(`/api/v1/executions/${id}`)).body.data;
const nestedOf = async (parentId: string) =>
  (await owner.get("/api/v1/executions?tool=inner")).body.data.executions.filter(
    (execution: { parentId: string }) => execution.parentId === parentId,
  );

test("a worker that is lost takes nested runs along; only a caller that may be repeated calls anew", async () => {
  product.showLogsIfTestFails();
  const careless = await start("careless", "quick");
  const repeatable = await start("repeatable", "slow");
  await until(async () => [...(await nestedOf(careless)), ...(await nestedOf(repeatable))].length === 2, {
    what: "both nested runs have begun",
  });
  await product.workers[0]?.kill();
  await product.startWorker();
  await until(async () => (await read(repeatable)).finishedAt && (await read(careless)).finishedAt, {
    what: "both callers have ended",
    timeoutMs: 80_000,
  });
  expect(await read(careless)).toMatchObject({ status: "lost", attempts: 1 });
  expect(await read(repeatable)).toMatchObject({ status: "succeeded", attempts: 2, result: "inner" });
  expect(await nestedOf(careless)).toMatchObject([{ status: "lost", attempts: 1 }]);
  expect(await nestedOf(repeatable)).toMatchObject([
    { status: "succeeded", attempts: 1 },
    { status: "lost", attempts: 1 },
  ]);
});
