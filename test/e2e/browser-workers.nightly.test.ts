import { queryRows, startProduct, until, type Product } from "@bulkhead/testing";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newAgentTenant } from "../support/agents.ts";
import { findChromium } from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { openWebShop, type WebShop } from "../support/web-shop.ts";

/** The worker whose machine has no Chromium. */
const BARE = `wrk_${randomUUID()}`;
const USERS = ["ann", "bob", "eve"];
let product: Product;
let shop: WebShop;
let agent: Client;
let owner: Client;

beforeAll(async () => {
  shop = await openWebShop("");
  product = await startProduct({ workers: 0, env: { EGRESS_ALLOW: "127.0.0.0/8" } });
  await product.startWorker({ BULKHEAD_WORKER_ID: BARE, CHROMIUM: "/bin/false" });
  ({ owner, one: agent } = await newAgentTenant(product));
  await owner.patch("/api/v1/tenant/settings", { approval: { tools: { browser: "preApproved" } } });
});
afterAll(async () => {
  shop?.close();
  await product?.stop();
});

const isOffered = async (): Promise<boolean> => (await owner.get("/api/v1/me")).body.data.features.browser;
const call = async (args: object, userId = "ann") =>
  (await agent.post("/api/v1/custom-tools/browser/execute", { arguments: args, context: { userId } })).body;

test("where no worker has a Chromium there is no such tool", async () => {
  expect(await isOffered()).toBe(false);
  expect((await call({ action: "pages" })).code).toBe("tool.not_found");
});

test("a worker without a Chromium sends what it is asked to the one that has it", async () => {
  product.showLogsIfTestFails();
  // It has one slot, so that most calls come to the other one.
  const able = await product.startWorker({ CHROMIUM: await findChromium(), WORKER_CONCURRENCY: "1" });
  await until(isOffered, { what: "a browser is offered" });
  const opens = async (userId: string) => {
    const opened = await call({ action: "open", url: `${shop.url}/count` }, userId);
    const shown = await call({ action: "snapshot" }, userId);
    return [opened, shown].map(({ data }) => data);
  };
  // The other one looks every few seconds which workers have one.
  await until(async () => (await call({ action: "open", url: shop.url })).data.status === "succeeded", {
    what: "the workers know of each other",
  });
  const done = (await Promise.all(USERS.map(opens))).flat();
  expect(done.map(({ status }) => status)).toEqual(done.map(() => "succeeded"));
  expect(done[0].metadata.usage).toMatchObject({ networkRequests: 1 });
  const inBare = "SELECT id FROM executions WHERE worker_id = $1 AND status = 'succeeded'";
  expect((await queryRows(product.databaseUrl, inBare, [BARE])).length).toBeGreaterThan(0);
  await able.stop();
  await until(async () => (await call({ action: "open", url: shop.url })).data?.status !== "succeeded", {
    what: "its browsers are gone",
  });
});
