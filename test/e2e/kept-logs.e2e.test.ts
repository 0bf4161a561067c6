import { randomBytes } from "node:crypto";
import { startProduct, until, type Product } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTool, newTenant, type Client } from "../support/client.ts";

const SECRET = `kept-${randomBytes(16).toString("hex")}`;

let product: Product;
let owner: Client;
let stranger: Client;

beforeAll(async () => {
  product = await startProduct();
  ({ owner } = await newTenant(product));
  ({ owner: stranger } = await newTenant(product));
  await owner.post("/api/v1/config-services", { name: "vendor", delivery: "reveal" });
  await owner.post("/api/v1/config-services/vendor/entries", { label: "main", data: { api_key: SECRET } });
  await createTool(
    owner,
    "nightly",
    `console.log("Export of", args.what, "begins with", utils.getApiKey("vendor"));
    for (let n = 0; n < 3_000; n += 1) console.log("row " + n);
    emit({ rows: 3_000, note: "nul \\u0000 and half \\ud800" });
    throw new Error("The disk is full.");`,
    {
      requiredConfigServices: [{ name: "vendor" }],
      parameters: { type: "object", properties: { what: { type: "string" } } },
    },
  );
  await createTool(owner, "silent", "return 1;");
});
afterAll(() => product?.stop());

const run = async (tool: string, what = "orders"): Promise<string> =>
  (await owner.post(`/api/v1/custom-tools/${tool}/execute`, { arguments: { what } })).body.data.executionId;
const eventsOf = async (executionId: string, after?: string) =>
  (await owner.follow(executionId, after)).rest();
const found = async (logs: string, by = owner): Promise<string[]> => {
  const { body } = await by.get(`/api/v1/executions?logs=${encodeURIComponent(logs)}`);
  return body.data.executions.map(({ id }: { id: string }) => id);
};

test("[R40] a failed run's log is told and found when Redis has lost everything", async () => {
  await run("silent");
  const executionId = await run("nightly", "Invoices");
  const other = await run("nightly");
  const whole = await eventsOf(executionId);
  expect(whole.length).toBeGreaterThan(3_000);
  await until(async () => (await found("export")).length === 2, { what: "both logs are kept" });

  await product.redis?.restartEmpty();
  await until(async () => (await owner.get("/readyz")).status === 200, { what: "the API has Redis again" });
  expect(await eventsOf(executionId)).toEqual(whole);
  const middle = whole[1_500]?.id ?? "";
  expect(await eventsOf(executionId, middle)).toEqual(whole.slice(1_501));
  expect(whole.at(-1)?.event).toBe("execution.failed");
  expect(JSON.stringify(whole)).not.toContain(SECRET);

  expect(await found("export invoices")).toEqual([executionId]);
  expect(await found("BEGINS export")).toEqual([other, executionId]);
  expect(await found("row 2999")).toEqual([other, executionId]);
  expect(await found("export customers")).toEqual([]);
  expect(await found(SECRET.slice(5))).toEqual([]);
  expect(await found("export", stranger)).toEqual([]);
});

test("a search without a word, or with too many, is refused with its field", async () => {
  const { status, body } = await owner.get("/api/v1/executions?logs=%2E!");
  expect(status).toBe(400);
  expect(body).toMatchObject({ code: "request.invalid", errors: [{ path: "logs" }] });
  const long = await owner.get(`/api/v1/executions?logs=${Array(33).fill("a").join("+")}`);
  expect(long.body.errors).toMatchObject([{ path: "logs", message: "must have 32 words at most" }]);
});

test("[R40] a tenant says for how long what its executions hold is kept", async () => {
  const before = await owner.get("/api/v1/tenant/settings");
  expect(before.body.data.retention).toBeNull();
  const retention = { events: 7, result: "none" };
  const changed = await owner.patch("/api/v1/tenant/settings", { retention });
  expect(changed.body.data).toEqual({ ...before.body.data, retention });
  for (const events of [0, -1, 3_651, 1.5, "7", "never"]) {
    const { status, body } = await owner.patch("/api/v1/tenant/settings", { retention: { events } });
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      { path: "retention.events", message: 'must be "none" or a whole number of days from 1 to 3650' },
    ]);
  }
  const unset = await owner.patch("/api/v1/tenant/settings", { retention: null });
  expect(unset.body.data).toEqual(before.body.data);
});
