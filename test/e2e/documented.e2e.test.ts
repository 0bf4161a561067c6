import { sharedProduct } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import { createTool, newTenant, type Client } from "../support/client.ts";
import { EXAMPLES, FETCH_WEATHER, REQUIRED_API_KEYS, TEST_REQUEST } from "./documented.ts";

const TOOLS = "/api/v1/custom-tools";

const product = await sharedProduct();
let tenantId: string;
let owner: Client;

beforeAll(async () => {
  ({ owner, id: tenantId } = await newTenant(product));
});

const envelope = {
  success: true,
  meta: { requestId: expect.any(String), traceId: expect.any(String), timestamp: expect.any(String) },
};
/** `CustomToolRecord`, field by field; the contract's own fields stand beside these. */
const RECORD = {
  ...FETCH_WEATHER,
  id: expect.stringMatching(/^tool_[0-9a-f]{16}$/),
  status: "active",
  requiresApproval: false,
  version: 1,
  usageCount: 0,
  createdAt: expect.stringMatching(/Z$/),
  updatedAt: expect.stringMatching(/Z$/),
};

test("[E5, E6] the documented creation is taken as it is written, and the record has every field", async () => {
  const made = await owner.post(TOOLS, FETCH_WEATHER);
  expect(made.status).toBe(201);
  expect(made.headers.get("location")).toBe(`${TOOLS}/${made.body.data.id}`);
  expect(made.body).toMatchObject({ ...envelope, data: { ...RECORD, userId: tenantId } });
  const read = await owner.get(`${TOOLS}/${made.body.data.id}`);
  expect(read.body).toMatchObject({ ...envelope, data: { ...RECORD, userId: tenantId } });
});

test.each(["name", "description", "parameters", "code"] as const)("[E7] %s is required", async (field) => {
  const { [field]: _, ...rest } = { ...FETCH_WEATHER, name: "lacks_something" };
  const { status, body } = await owner.post(TOOLS, rest);
  expect([status, body.errors[0].path]).toEqual([400, field]);
});

test("[E10] an update changes what is given and leaves the rest", async () => {
  const before = await createTool(owner, "to_change", "return 1;", { category: "Text", metadata: { a: 1 } });
  const { status, body } = await owner.patch(`${TOOLS}/to_change`, { description: "told anew" });
  expect(status).toBe(200);
  const { updatedAt } = body.data;
  expect(body.data).toEqual({ ...before, description: "told anew", updatedAt });
});

test("[E11] a deletion is answered as documented, and then the tool is gone", async () => {
  await createTool(owner, "to_delete", "return 1;");
  expect((await owner.delete(`${TOOLS}/to_delete`)).body).toEqual({ ...envelope, data: { deleted: true } });
  expect((await owner.get(`${TOOLS}/to_delete`)).status).toBe(404);
});

test("[E15] an execution is answered with every documented field", async () => {
  await createTool(owner, "weather_of", "return { city: args.city };", {
    parameters: FETCH_WEATHER.parameters,
  });
  const { status, body } = await owner.post(`${TOOLS}/weather_of/execute`, { arguments: { city: "London" } });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    ...envelope,
    data: {
      tool: "weather_of",
      result: { city: "London" },
      isError: false,
      duration: expect.any(Number),
      metadata: { executionTime: expect.any(Number), dynamicTool: "weather_of" },
    },
  });
});

test("[E17] the documented dry run is answered in the same shape, in test mode, and stores nothing", async () => {
  const { status, body } = await owner.post(`${TOOLS}/test`, TEST_REQUEST);
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    tool: "test_tool",
    result: { hello: "world" },
    isError: false,
    duration: expect.any(Number),
    metadata: { executionTime: expect.any(Number), dynamicTool: "test_tool" },
    testMode: true,
  });
  expect((await owner.get(`${TOOLS}/test_tool`)).status).toBe(404);
});

test("[M1] create_tool takes the documented required_api_keys as they are written", async () => {
  const { status, body } = await owner.post("/api/v1/meta-tools/create_tool", {
    ...FETCH_WEATHER,
    ...REQUIRED_API_KEYS,
    name: "weather_by_model",
    createdBy: undefined,
    requiredApiKeys: undefined,
    parameters: JSON.stringify(FETCH_WEATHER.parameters),
  });
  expect([status, body.data.status]).toEqual([201, "active"]);
  expect((await owner.get(`${TOOLS}/weather_by_model`)).body.data).toMatchObject({
    createdBy: "llm",
    requiresApproval: true,
    requiredApiKeys: REQUIRED_API_KEYS.required_api_keys,
  });
});

test.each(EXAMPLES)("[X1] the example $name runs as it is written", async ({ call, result, ...example }) => {
  expect((await owner.post(TOOLS, { ...example, description: example.name })).status).toBe(201);
  const { body } = await owner.post(`${TOOLS}/${example.name}/execute`, { arguments: call });
  expect(body.data).toMatchObject({ isError: false, result });
});
