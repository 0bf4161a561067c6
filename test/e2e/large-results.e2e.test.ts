import { randomBytes } from "node:crypto";
import { isNightly, sharedProduct } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import { createTool, newTenant, type Client } from "../support/client.ts";

const SECRET = `large-${randomBytes(16).toString("hex")}`;
const ROWS = 20_000;
const LIMITS = { resultBytes: 4 * 2 ** 20, logBytes: 2 ** 20 };
const rowsOf = (key: string, count = ROWS) =>
  Array.from({ length: count }, (_, id) => ({ id, key, note: 'a "quote"' }));
const SAYS = `
  const rows = Array.from({ length: ${ROWS} }, (_, id) => ({ id, key: utils.getApiKey("vendor"), note: 'a "quote"' }));`;

const product = await sharedProduct();
let owner: Client;

beforeAll(async () => {
  ({ owner } = await newTenant(product));
  await owner.post("/api/v1/config-services", { name: "vendor", delivery: "reveal" });
  await owner.post("/api/v1/config-services/vendor/entries", { label: "main", data: { api_key: SECRET } });
  const more = { requiredConfigServices: [{ name: "vendor" }], limits: LIMITS };
  await createTool(owner, "large", `${SAYS} return rows;`, more);
  await createTool(owner, "calls_large", `return await utils.callTool("large");`, more);
  await createTool(
    owner,
    "emits_large",
    `${SAYS} console.log("before"); emit(rows.slice(0, 2_000)); console.log("behind"); return 1;`,
    more,
  );
});

test("a result of megabytes is the same to whoever asks, with its secrets covered", async () => {
  const covered = rowsOf("[REDACTED]");
  const called = await owner.post("/api/v1/custom-tools/large/execute", {});
  expect(called.body.data).toMatchObject({ status: "succeeded", isError: false });
  expect(called.body.data.result).toEqual(covered);
  const { body } = await owner.get(`/api/v1/executions/${called.body.data.executionId}`);
  expect(body.data.result).toEqual(covered);
  const events = await owner.follow(called.body.data.executionId);
  let last = await events.next();
  for (let event = last; event !== null; event = await events.next()) last = event;
  expect(last?.event).toBe("execution.succeeded");
  expect(last?.data).toMatchObject({ execution: { status: "succeeded", result: covered } });
});

test.runIf(isNightly)("a tool gets the result of megabytes that another one made", async () => {
  const { body } = await owner.post("/api/v1/custom-tools/calls_large/execute", {});
  expect(body.data, JSON.stringify(body).slice(0, 500)).toMatchObject({ status: "succeeded" });
  expect(body.data.result).toHaveLength(ROWS);
  expect(JSON.stringify(body)).not.toContain(SECRET);
});

test("a large value is told between the lines that it was emitted between, with its secrets covered", async () => {
  const { body } = await owner.post("/api/v1/custom-tools/emits_large/execute", {});
  const events = await owner.follow(body.data.executionId);
  const told: unknown[] = [];
  for (let event = await events.next(); event !== null; event = await events.next()) {
    const { text, value } = event.data as { text?: string; value?: unknown };
    if (event.event === "execution.log" || event.event === "execution.progress") told.push(text ?? value);
  }
  expect(told.slice(0, 3)).toEqual(["before", rowsOf("[REDACTED]", 2_000), "behind"]);
  expect(JSON.stringify(told)).not.toContain(SECRET);
});
