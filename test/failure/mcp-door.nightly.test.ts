import { startProduct, until, type Product } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTool, newTenant, type Client } from "../support/client.ts";
import { shutGate } from "../support/gate.ts";
import { connectMcp, RawMcp } from "../support/mcp-client.ts";

let product: Product;
let owner: Client;

beforeAll(async () => {
  product = await startProduct({ env: { EGRESS_ALLOW: "127.0.0.0/8" } });
  ({ owner } = await newTenant(product));
  await owner.patch("/api/v1/tenant/settings", { approval: { default: "preApproved" } });
  await createTool(owner, "waiter", "emit('asked'); await fetch(args.url); return 'answered';", {
    permissions: ["network"],
    parameters: { type: "object", properties: { url: { type: "string" } } },
  });
});
afterAll(() => product?.stop());

test("kill -9 of the API in a call by MCP: the session goes on at the next one, and the call has its answer", async () => {
  product.showLogsIfTestFails();
  const gate = await shutGate();
  const client = new RawMcp(product.url, owner.key);
  await client.initialize();
  const call = { name: "waiter", arguments: { url: gate.url }, _meta: { progressToken: "p" } };
  const broken = await client.post({ id: "call", method: "tools/call", params: call });
  const told = await broken.next((event) => JSON.stringify(event.data).includes("asked"));
  await product.api.kill();
  await product.api.restart();
  const resumed = await client.get(told.id);
  gate.open();
  const end = await resumed.next((event) => event.data?.["id"] === "call");
  expect(end.data?.["result"]).toMatchObject({ content: [{ type: "text", text: "answered" }] });
  await resumed.close();
});

test("Redis that dies in a call by MCP and comes back empty: the call has its answer, and the next one too", async () => {
  product.showLogsIfTestFails();
  const gate = await shutGate();
  const client = await connectMcp(product, owner, "auto");
  const asked = Promise.withResolvers<void>();
  const onprogress = (): void => asked.resolve();
  const params = { name: "waiter", arguments: { url: gate.url } };
  const answer = client.callTool(params, { onprogress, timeout: 120_000 });
  await asked.promise;
  await product.redis?.kill();
  gate.open();
  await product.redis?.restartEmpty();
  expect(await answer).toMatchObject({ content: [{ type: "text", text: "answered" }] });
  // The first one may end before all of the API's connections are back.
  await until(async () => (await owner.get("/readyz")).status === 200, { what: "the API has Redis again" });
  expect(await client.callTool(params, { timeout: 120_000 })).toMatchObject({
    content: [{ type: "text", text: "answered" }],
  });
});
