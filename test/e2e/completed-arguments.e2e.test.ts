import { sharedProduct } from "@bulkhead/testing";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { makeTool, meta, newAgentTenant, type AgentTenant } from "../support/agents.ts";
import { createTool, type Client } from "../support/client.ts";

const product = await sharedProduct();
let tenant: AgentTenant;

const PARAMETERS = {
  type: "object",
  properties: {
    unit: { $ref: "#/$defs/unit" },
    page: { type: "object", properties: { size: { type: "integer", default: 20 } } },
    city: { type: "string" },
    mode: { type: ["string", "null"] },
  },
  $defs: { unit: { enum: ["metric", "imperial"], default: "metric" } },
};

beforeAll(async () => {
  tenant = await newAgentTenant(product);
  const { owner } = tenant;
  await createTool(owner, "plain", "return args;", { parameters: PARAMETERS });
  await createTool(owner, "filled", "return args;", { parameters: PARAMETERS, applyDefaults: true });
  await createTool(owner, "never", "return args;", { parameters: PARAMETERS, applyDefaults: false });
});
beforeEach(() => tenant.owner.patch("/api/v1/tenant/settings", { applyDefaults: false }));

async function run(client: Client, tool: string, args: object) {
  const { body } = await client.post(`/api/v1/custom-tools/${tool}/execute`, { arguments: args });
  return body.data ?? body;
}

const GIVEN = { page: {} };
const FILLED = { page: { size: 20 }, unit: "metric" };

test("defaults are filled in where the tool says so, and the execution shows the arguments that ran", async () => {
  const { owner } = tenant;
  const { result, executionId } = await run(owner, "filled", GIVEN);
  expect(result).toEqual(FILLED);
  const { body } = await owner.get(`/api/v1/executions/${executionId}`);
  expect(body.data.arguments).toEqual(FILLED);
  expect((await run(owner, "plain", GIVEN)).result).toEqual(GIVEN);
});

test("the tenant says it for the tools that don't", async () => {
  const { owner } = tenant;
  const { body } = await owner.patch("/api/v1/tenant/settings", { applyDefaults: true });
  expect(body.data.applyDefaults).toBe(true);
  expect((await run(owner, "plain", GIVEN)).result).toEqual(FILLED);
  expect((await run(owner, "never", GIVEN)).result).toEqual(GIVEN);
  const tried = await owner.post("/api/v1/custom-tools/test", {
    name: "tried",
    code: "return args;",
    parameters: PARAMETERS,
    testArguments: GIVEN,
  });
  expect(tried.body.data.result).toEqual(FILLED);
});

test("what a change of the tool says holds for its next calls, and null gives the word back to the tenant", async () => {
  const { owner } = tenant;
  await createTool(owner, "changed", "return args;", { parameters: PARAMETERS });
  const said = await owner.patch("/api/v1/custom-tools/changed", { applyDefaults: true });
  expect(said.body.data).toMatchObject({ applyDefaults: true, version: 1 });
  expect((await run(owner, "changed", GIVEN)).result).toEqual(FILLED);
  const cleared = await owner.patch("/api/v1/custom-tools/changed", { applyDefaults: null });
  expect(cleared.body.data).not.toHaveProperty("applyDefaults");
  expect((await run(owner, "changed", GIVEN)).result).toEqual(GIVEN);
});

test("a batch and a call by another tool are completed as a call is", async () => {
  const { owner } = tenant;
  const batch = await owner.post("/api/v1/executions/batch", {
    executions: [{ tool: "filled", arguments: GIVEN }],
  });
  const [{ executionId }] = batch.body.data.executions;
  const { body } = await owner.get(`/api/v1/executions/${executionId}`);
  expect(body.data.arguments).toEqual(FILLED);
  await createTool(owner, "caller", 'return utils.callTool("filled", { page: {} });');
  expect((await run(owner, "caller", {})).result).toEqual(FILLED);
});

test("a schedule is checked with the defaults that its runs get, and keeps what it was given", async () => {
  const { owner } = tenant;
  const parameters = { ...PARAMETERS, required: ["unit"] };
  await createTool(owner, "planned", "return args;", { parameters, applyDefaults: true });
  const asked = { tool: "planned", everyMs: 3_600_000, arguments: GIVEN };
  const made = await owner.post("/api/v1/schedules", asked);
  expect([made.status, made.body.data.arguments]).toEqual([201, GIVEN]);
  await owner.patch("/api/v1/custom-tools/planned", { applyDefaults: false });
  const refused = await owner.post("/api/v1/schedules", asked);
  expect(refused.body.errors).toEqual([{ path: "arguments.unit", message: "is required" }]);
});

test("what can't be filled in within bounds is refused", async () => {
  const { owner } = tenant;
  const item = { type: "object", properties: { text: { default: "x".repeat(10_000) } } };
  const parameters = { type: "object", properties: { list: { type: "array", items: item } } };
  await createTool(owner, "many", "return 1", { parameters, applyDefaults: true });
  const refused = await run(owner, "many", { list: Array.from({ length: 100 }, () => ({})) });
  expect(refused).toMatchObject({ status: 400, code: "tool.arguments_invalid" });
  expect(refused.errors).toEqual([
    { path: "arguments", message: expect.stringMatching(/256 KiB of defaults/) },
  ]);
});

test("of an agent, null for an optional property that takes none counts as left out", async () => {
  const { owner, one } = tenant;
  const { result, executionId } = await run(one, "plain", { city: null, mode: null, page: { size: null } });
  expect(result).toEqual({ mode: null, page: {} });
  const { body } = await owner.get(`/api/v1/executions/${executionId}`);
  expect(body.data.arguments).toEqual({ mode: null, page: {} });
  expect((await run(one, "filled", { unit: null })).result).toEqual({ unit: "metric" });
  expect(await run(owner, "plain", { city: null })).toMatchObject({
    status: 400,
    errors: [{ path: "arguments.city", message: "must be string" }],
  });
});

test("of a meta-tool too", async () => {
  const made = await makeTool(tenant.one, "by_model", { category: null, permissions: null });
  expect(made.status).toBe(201);
  const listed = await meta(tenant.one, "list_custom_tools", { status: null });
  expect(listed.status).toBe(200);
  const refused = await meta(tenant.one, "create_tool", { name: null });
  expect(refused.body.errors.map(({ path }: { path: string }) => path)).toContain("name");
});
