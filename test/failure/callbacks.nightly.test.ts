import { startProduct, until, type Product } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTool, newTenant, type Client } from "../support/client.ts";
import { isSigned, openReceiver, type Receiver } from "../support/receiver.ts";

let product: Product;
let receiver: Receiver;
let owner: Client;

const COUNT = 400;
/** A claim of a dead worker is due again after half a minute. */
const HEALED_MS_MAX = 120_000;
/** None of them times out because the machine is slow; milliseconds. */
const TIMEOUT_MS = 600_000;

beforeAll(async () => {
  // Every third webhook meets a receiver that is out of sorts, once.
  receiver = await openReceiver((path, before) =>
    Number(path.slice(1)) % 3 === 0 && before === 0 ? 503 : 204,
  );
  product = await startProduct({ env: { EGRESS_ALLOW: "127.0.0.0/8", LOG_LEVEL: "warn" } });
  ({ owner } = await newTenant(product));
  await createTool(owner, "brief", "await new Promise((r) => setTimeout(r, 100)); return args.n;");
});

afterAll(async () => {
  await product?.stop();
  await receiver?.close();
});

test("kill -9 of workers amid runs and webhooks: every end is told, and what came twice has one id", async () => {
  product.showLogsIfTestFails();
  const { body } = await owner.post("/api/v1/executions/batch", {
    executions: Array.from({ length: COUNT }, (_, n) => ({
      tool: "brief",
      arguments: { n },
      callback: { url: `${receiver.url}/${n}` },
      timeoutMs: TIMEOUT_MS,
    })),
  });
  const ids: string[] = body.data.executions.map(({ executionId }: { executionId: string }) => executionId);
  for (const share of [10, COUNT / 4, COUNT / 2]) {
    await until(() => receiver.received.length >= share, {
      what: `${share} webhooks`,
      timeoutMs: HEALED_MS_MAX,
    });
    await product.workers.at(-1)?.kill();
    await product.startWorker();
  }
  const isTold = (n: number): boolean => receiver.at(`/${n}`).length > (n % 3 === 0 ? 1 : 0);
  await until(() => ids.every((_id, n) => isTold(n)), {
    what: "every end is told",
    timeoutMs: HEALED_MS_MAX,
  });
  const { secret } = (await owner.get("/api/v1/webhook-secret")).body.data;
  for (const [n, id] of ids.entries()) {
    const told = receiver.at(`/${n}`);
    expect(new Set(told.map(({ headers }) => headers["webhook-id"]))).toEqual(
      new Set([`dlv_${id.slice(4)}_1`]),
    );
    expect(new Set(told.map(({ text }) => text)).size).toBe(1);
    expect(told[0]?.body).toMatchObject({ type: "execution.succeeded", data: { id, result: n } });
    expect(told.every((one) => isSigned(one, secret))).toBe(true);
  }
});
