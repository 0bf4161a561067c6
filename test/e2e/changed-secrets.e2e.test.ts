import { randomBytes } from "node:crypto";
import { sharedProduct, until } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import { createTool, newTenant, type Client } from "../support/client.ts";

const SERVICES = "/api/v1/config-services";
const newKey = (): string => `changed-${randomBytes(16).toString("hex")}`;
const [OLD, NEW] = [newKey(), newKey()];
/** Reversed, which no scrubber covers: so a test can see which value the code was given. */
const turned = (text: string): string => text.split("").toReversed().join("");
const service = { requiredConfigServices: [{ name: "vendor" }] };

const product = await sharedProduct();
let owner: Client;

beforeAll(async () => {
  ({ owner } = await newTenant(product));
  await made(owner.post(SERVICES, { name: "vendor", delivery: "reveal" }));
  await made(owner.post(`${SERVICES}/vendor/entries`, { label: "main", data: { api_key: OLD } }));
  await createTool(owner, "now", "return [...utils.getApiKey('vendor')].toReversed().join('')", service);
});

async function made(answer: ReturnType<Client["post"]>): Promise<void> {
  const { status, body } = await answer;
  expect(status, JSON.stringify(body)).toBe(201);
}

async function resultOf(tool: string): Promise<unknown> {
  const { body } = await owner.post(`/api/v1/custom-tools/${tool}/execute`, { arguments: {} });
  expect(body.data, JSON.stringify(body)).toMatchObject({ status: "succeeded" });
  return body.data.result;
}

test("a changed value is the next execution's, and one that runs is scrubbed for both", async () => {
  const code = `
    console.log("waits");
    const before = utils.getApiKey("vendor");
    for (;;) {
      const turned = await utils.callTool("now");
      const after = [...turned].toReversed().join("");
      if (after !== before) return { before, after };
      await new Promise((resolve) => setTimeout(resolve, 200));
    }`;
  await createTool(owner, "waits_for_it", code, { ...service, limits: { nestedCalls: 100 } });
  const asked = await owner.post("/api/v1/custom-tools/waits_for_it/execute", { mode: "async" });
  const execution = `/api/v1/executions/${asked.body.data.executionId}`;
  const read = async () => (await owner.get(execution)).body.data;
  // Running is claimed: the secrets are read after that, and before the code says its first word.
  const reader = await owner.follow(asked.body.data.executionId);
  for (let event = await reader.next(); event?.event !== "execution.log"; event = await reader.next())
    if (event === null) throw new Error("the stream ended");
  await reader.close();
  const changed = await owner.patch(`${SERVICES}/vendor/entries/main`, { data: { api_key: NEW } });
  expect(changed.status, JSON.stringify(changed.body)).toBe(200);
  await until(async () => (await read()).finishedAt, { what: "the end", timeoutMs: 30_000 });
  expect(await read()).toMatchObject({
    status: "succeeded",
    result: { before: "[REDACTED]", after: "[REDACTED]" },
  });
  expect(await resultOf("now")).toBe(turned(NEW));
});

test("a deleted value is gone with the next execution", async () => {
  await createTool(owner, "asks", "return utils.getApiKey('vendor') === undefined", service);
  expect(await resultOf("asks")).toBe(false);
  const { status } = await owner.delete(`${SERVICES}/vendor/entries/main`);
  expect(status).toBe(200);
  expect(await resultOf("asks")).toBe(true);
});
