import { startProduct, until, type Product } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTool, newTenant } from "../support/client.ts";
import { killSpinningSandbox } from "../support/sandbox-processes.ts";
import { closeWatchedEvents, watchEvents as watch } from "../support/tenant-events.ts";

const TOOLS = "/api/v1/custom-tools";

let product: Product;
closeWatchedEvents();

beforeAll(async () => {
  product = await startProduct();
});

afterAll(() => product?.stop());

test("a tool version that keeps killing its process shows as quarantined", async () => {
  product.showLogsIfTestFails();
  // A tenant of its own, whose processes have run nothing else: in those the first death is an attempt.
  const { owner: killing } = await newTenant(product);
  const limits = { cpuMs: 60_000, wallMs: 60_000 };
  const { id } = await createTool(killing, "killer", "for (;;) {}", { limits });
  const reader = await watch(killing);
  let executionId = "";
  for (let conviction = 1; conviction <= 3; conviction += 1) {
    ({ executionId } = (await killing.post(`${TOOLS}/killer/execute`, { mode: "async" })).body.data);
    const read = async () => (await killing.get(`/api/v1/executions/${executionId}`)).body.data;
    await killSpinningSandbox(product.workers[0]?.pid ?? 0);
    const patiently = { timeoutMs: 30_000 };
    await until(async () => (await read()).attempts === 2, { what: "the second attempt", ...patiently });
    await killSpinningSandbox(product.workers[0]?.pid ?? 0);
    await until(async () => (await read()).finishedAt, { what: "the end", ...patiently });
  }
  const event = await reader.next();
  expect(event?.event).toBe("tool.quarantined");
  expect(event?.data).toEqual({
    at: expect.any(String),
    toolId: id,
    toolName: "killer",
    toolVersion: 1,
    reason: expect.stringMatching(/killed its sandbox process 3 times/),
    executionId,
  });
});

test("a death in a process that had served other runs is no attempt; the next one, alone, is the tool's", async () => {
  const { owner: killing } = await newTenant(product);
  await createTool(killing, "harmless", "return 1;");
  for (let run = 1; run <= 2; run += 1) await killing.post(`${TOOLS}/harmless/execute`);
  await createTool(killing, "killer", "for (;;) {}", { limits: { cpuMs: 60_000, wallMs: 60_000 } });
  const { executionId } = (await killing.post(`${TOOLS}/killer/execute`, { mode: "async" })).body.data;
  const read = async () => (await killing.get(`/api/v1/executions/${executionId}`)).body.data;
  await killSpinningSandbox(product.workers[0]?.pid ?? 0);
  await killSpinningSandbox(product.workers[0]?.pid ?? 0);
  await until(async () => (await read()).finishedAt, { what: "the end", timeoutMs: 30_000 });
  expect(await read()).toMatchObject({ status: "failed", attempts: 1, error: { code: "sandbox.crashed" } });
});
