import { randomUUID } from "node:crypto";
import { queryRows, startProduct, until, type Product } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTool, newTenant, type Client } from "../support/client.ts";

let product: Product;
beforeAll(async () => {
  product = await startProduct({ workers: 0 });
});
afterAll(() => product?.stop());

const read = async (owner: Client, executionId: string) =>
  (await owner.get(`/api/v1/executions/${executionId}`)).body.data;
const start = async (owner: Client, tool: string): Promise<string> => {
  const answer = await owner.post(`/api/v1/custom-tools/${tool}/execute`, {
    mode: "async",
    timeoutMs: 600_000,
  });
  if (answer.status !== 202) throw new Error(`refused: ${JSON.stringify(answer.body)}`);
  return answer.body.data.executionId;
};
const NAP = "await new Promise((done) => setTimeout(done, 25_000));";

test("[L5] what a worker ran whose end was seen is over at once, and its slots are free, whatever its leases say", async () => {
  product.showLogsIfTestFails();
  // One slot each.
  const tenants = await Promise.all([1, 2].map(() => newTenant(product, { maxConcurrentExecutions: 1 })));
  const [first, second] = tenants.map(({ owner }) => owner);
  if (!first || !second) throw new Error("no tenants");
  await createTool(first, "nap", NAP);
  await createTool(second, "quick", "return 1;");
  // It is refused, and an effect that was asked for all the same.
  await createTool(second, "careless", `await fetch("https://10.0.0.1/").catch(() => 0); ${NAP}`, {
    permissions: ["network"],
  });

  const dead = `wrk_${randomUUID()}`;
  const victim = await product.startWorker({ BULKHEAD_WORKER_ID: dead });
  const again = await start(first, "nap");
  const lost = await start(second, "careless");
  const next = await start(second, "quick");
  const ids = [again, lost];
  const held = async () =>
    queryRows(
      product.databaseUrl,
      "SELECT id, effects FROM executions WHERE id = ANY($1) AND worker_id = $2",
      [ids, dead],
    );
  await until(async () => (await held()).length === 2 && (await held()).some(({ effects }) => effects), {
    what: "both run, one with an effect",
  });
  await victim.kill();
  // By silence alone nobody would find out today.
  const longLease = "UPDATE executions SET lease_until = now() + interval '1 hour' WHERE id = ANY($1)";
  await queryRows(product.databaseUrl, longLease, [ids]);
  await product.startWorker({ BULKHEAD_DEAD_WORKERS: dead });

  await until(async () => (await read(second, lost)).status === "lost", { what: "the careless one is lost" });
  await until(async () => (await read(second, next)).status === "succeeded", { what: "its slot is free" });
  const runs = async () => {
    const { status, attempts } = await read(first, again);
    return status === "running" && attempts === 2;
  };
  await until(runs, { what: "the other runs again" });
  const tried = (await first.get(`/api/v1/executions/${again}/attempts`)).body.data.attempts;
  expect(tried[0]).toMatchObject({ attempt: 1, outcome: "lost" });
});
