import { sharedProduct } from "@bulkhead/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { Client, createTool, newClient, newTenant, type Answer } from "../support/client.ts";

const product = await sharedProduct();
let ours: { id: string; owner: Client };
let theirs: { id: string; owner: Client };
let tool: { id: string; name: string };
let executionId = "";

beforeAll(async () => {
  ours = await newTenant(product);
  theirs = await newTenant(product);
  tool = await createTool(ours.owner, "our_secret", "return { secret: 42 };");
  executionId = (await ours.owner.post(`/api/v1/custom-tools/${tool.id}/execute`)).body.data.executionId;
});

/** An answer without what differs from call to call. */
const bare = ({ status, body }: Answer) => {
  const { meta: _meta, instance: _instance, ...rest } = body;
  return { status, ...rest };
};

describe("[R33] what is another tenant's is answered exactly as what does not exist", () => {
  const NO_TOOL = "tool_0000000000000000";
  const NO_EXECUTION = "exe_00000000000000000000000000000000";

  const TOOL_CALLS: [string, (client: Client, ref: string) => Promise<Answer>][] = [
    ["read a tool", (client, ref) => client.get(`/api/v1/custom-tools/${ref}`)],
    ["run a tool", (client, ref) => client.post(`/api/v1/custom-tools/${ref}/execute`, {})],
    [
      "stream a tool",
      (client, ref) => client.post(`/api/v1/custom-tools/${ref}/execute`, { mode: "stream" }),
    ],
    ["change a tool", (client, ref) => client.patch(`/api/v1/custom-tools/${ref}`, { description: "mine" })],
    ["disable a tool", (client, ref) => client.post(`/api/v1/custom-tools/${ref}/disable`)],
    ["enable a tool", (client, ref) => client.post(`/api/v1/custom-tools/${ref}/enable`)],
    ["approve a tool", (client, ref) => client.post(`/api/v1/custom-tools/${ref}/approve`)],
    ["delete a tool", (client, ref) => client.delete(`/api/v1/custom-tools/${ref}`)],
  ];
  test.each(TOOL_CALLS)("%s", async (_name, call) => {
    const missing = bare(await call(theirs.owner, NO_TOOL));
    expect(missing.status).toBe(404);
    expect(bare(await call(theirs.owner, tool.id))).toEqual(missing);
    expect(bare(await call(theirs.owner, tool.name))).toEqual(missing);
  });

  const EXECUTION_CALLS: [string, (client: Client, id: string) => Promise<Answer>][] = [
    ["read an execution", (client, id) => client.get(`/api/v1/executions/${id}`)],
    ["follow an execution", (client, id) => client.get(`/api/v1/executions/${id}/events`)],
    ["cancel an execution", (client, id) => client.post(`/api/v1/executions/${id}/cancel`)],
  ];
  test.each(EXECUTION_CALLS)("%s", async (_name, call) => {
    const missing = bare(await call(theirs.owner, NO_EXECUTION));
    expect(missing.status).toBe(404);
    expect(bare(await call(theirs.owner, executionId))).toEqual(missing);
  });

  test("manage keys", async () => {
    const keys = (id: string) => theirs.owner.get(`/api/v1/tenants/${id}/api-keys`).then(bare);
    expect(await keys(ours.id)).toEqual(await keys("ten_0000000000000000"));
  });
});

test("lists show only one's own", async () => {
  expect((await theirs.owner.get("/api/v1/custom-tools")).body.data).toEqual({
    tools: [],
    count: 0,
    nextCursor: null,
  });
  expect((await theirs.owner.get("/api/v1/executions")).body.data).toEqual({
    executions: [],
    nextCursor: null,
  });
  expect((await ours.owner.get("/api/v1/custom-tools")).body.data.count).toBe(1);
});

test("both may use the same name", async () => {
  await createTool(theirs.owner, "our_secret", "return { whose: 'theirs' };");
  const { body } = await theirs.owner.post("/api/v1/custom-tools/our_secret/execute");
  expect(body.data.result).toEqual({ whose: "theirs" });
});

describe("roles", () => {
  const asRole = (role: string) => newClient(product, ours.id, role);
  const newTool = { name: "made", description: "d", parameters: { type: "object" }, code: "return 1;" };

  test("[R33] a viewer reads and does nothing else", async () => {
    const viewer = await asRole("viewer");
    expect((await viewer.get(`/api/v1/custom-tools/${tool.id}`)).status).toBe(200);
    for (const refused of [
      await viewer.post("/api/v1/custom-tools", newTool),
      await viewer.post(`/api/v1/custom-tools/${tool.id}/execute`),
      await viewer.delete(`/api/v1/custom-tools/${tool.id}`),
      await viewer.post(`/api/v1/executions/${executionId}/cancel`),
    ]) {
      expect(refused.status).toBe(403);
      expect(refused.body.code).toBe("auth.forbidden");
    }
  });

  test("an agent runs tools and does not write them", async () => {
    const agent = await asRole("agent");
    await ours.owner.patch(`/api/v1/custom-tools/${tool.id}`, { approval: "preApproved" });
    expect((await agent.post(`/api/v1/custom-tools/${tool.id}/execute`)).body.data.result).toEqual({
      secret: 42,
    });
    expect((await agent.post("/api/v1/custom-tools", newTool)).status).toBe(403);
  });

  test("[R32] the platform's administrator is told to use a tenant's key", async () => {
    const refused = await new Client(product.url, product.adminKey).get("/api/v1/custom-tools");
    expect(refused.status).toBe(403);
    expect(refused.body.code).toBe("tenant.required");
  });

  test("a tool that a model made with a dangerous permission waits for an owner", async () => {
    const developer = await asRole("developer");
    const made = await developer.post("/api/v1/custom-tools", {
      ...newTool,
      name: "dangerous",
      createdBy: "llm",
      permissions: ["shell"],
    });
    expect(made.body.data).toMatchObject({ status: "pending_approval", requiresApproval: true });
    expect((await ours.owner.post("/api/v1/custom-tools/dangerous/execute")).body.code).toBe(
      "tool.not_active",
    );
    expect((await developer.post("/api/v1/custom-tools/dangerous/approve")).status).toBe(403);
    expect((await ours.owner.post("/api/v1/custom-tools/dangerous/approve")).body.data.status).toBe("active");
    expect((await ours.owner.post("/api/v1/custom-tools/dangerous/approve")).body.code).toBe(
      "tool.not_pending",
    );
    expect((await ours.owner.post("/api/v1/custom-tools/dangerous/execute")).body.data.result).toBe(1);
    const agent = await asRole("agent");
    expect((await agent.post("/api/v1/custom-tools/dangerous/execute")).body.data.status).toBe(
      "awaiting_approval",
    );
  });
});
