import { sharedProduct } from "@bulkhead/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { makeTool, meta, newAgentTenant } from "../support/agents.ts";
import { createTool, newTenant, type Client } from "../support/client.ts";

const TOOLS = "/api/v1/custom-tools";

const product = await sharedProduct();
let owner: Client;
let one: Client;
let two: Client;
let none: Client;
/** The tools that the tenant and agent "one" have by the same name. */
let tenants: string;
let ones: string;

beforeAll(async () => {
  ({ owner, one, two, none } = await newAgentTenant(product));
  tenants = (await createTool(owner, "greet", "return 'tenant'")).id;
  ones = (await createTool(owner, "greet", "return 'one'", { agentId: "one" })).id;
  await createTool(owner, "ones_only", "return 'one'", { agentId: "one" });
});

const namesOf = (tools: { name: string }[]) => tools.map(({ name }) => name).toSorted();

describe("lists", () => {
  test("show an agent its own tools and the tenant's without those that its own hide, and people all", async () => {
    const list = async (client: Client, query = "") =>
      (await client.get(`${TOOLS}?search=greet${query}`)).body.data.tools.map(({ id }: { id: string }) => id);
    expect([await list(one), await list(two), await list(none)]).toEqual([[ones], [tenants], [tenants]]);
    expect((await list(owner)).toSorted()).toEqual([ones, tenants].toSorted());
    expect([await list(owner, "&agentId=one"), await list(two, "&agentId=one")]).toEqual([[ones], []]);
  });

  test("and counts agree", async () => {
    for (const client of [owner, one, two, none]) {
      const { total } = (await client.get(`${TOOLS}/stats`)).body.data;
      expect(total).toBe((await client.get(`${TOOLS}?limit=200`)).body.data.count);
    }
    const mine = (await owner.get(`${TOOLS}?agentId=one&limit=200`)).body.data;
    expect((await owner.get(`${TOOLS}/stats?agentId=one`)).body.data.total).toBe(mine.count);
    expect(new Set(mine.tools.map(({ agentId }: { agentId: string }) => agentId))).toEqual(new Set(["one"]));
  });

  test("of what waits for approval show an agent's tools to people", async () => {
    await makeTool(one, "dangerous", { permissions: ["shell"] });
    const pending = async (client: Client) => namesOf((await client.get(`${TOOLS}/pending`)).body.data.tools);
    expect(await pending(owner)).toContain("dangerous");
    expect(await pending(two)).not.toContain("dangerous");
  });

  test("for models have each name once, as the agent sees it", async () => {
    const defined = async (client: Client, query = "") =>
      namesOf((await client.get(`${TOOLS}/active/definitions${query}`)).body.data.tools);
    const [asOne, asTwo, asOwner] = [await defined(one), await defined(two), await defined(owner)];
    for (const names of [asOne, asTwo, asOwner]) expect(new Set(names).size).toBe(names.length);
    expect(asOne).toContain("ones_only");
    for (const names of [asTwo, asOwner]) expect(names).not.toContain("ones_only");
    expect(await defined(owner, "?agentId=one")).toEqual(asOne);
    expect(await defined(two, "?agentId=one")).toEqual(asTwo);
    expect(await defined(owner, "?agentId=one&format=openai")).toHaveLength(asOne.length);
  });

  test("of the meta-tools are the agent's too, also for a person who acts for one", async () => {
    const found = async (client: Client, context: object = {}) =>
      namesOf((await meta(client, "search_tools", { query: "ones_only", context })).body.data.tools);
    expect(await found(one)).toEqual(["ones_only"]);
    expect(await found(owner, { agentId: "one" })).toEqual(["ones_only"]);
    expect([await found(two, { agentId: "one" }), await found(owner)]).toEqual([[], []]);
    const listed = async (client: Client, context: object = {}) =>
      namesOf((await meta(client, "list_custom_tools", { context })).body.data.tools).includes("ones_only");
    expect([await listed(one), await listed(two), await listed(owner)]).toEqual([true, false, false]);
  });
});

describe("what a meta-tool changes", () => {
  test("is the agent's own tool, where that hides the tenant's", async () => {
    await makeTool(none, "changed");
    await makeTool(one, "changed");
    await meta(one, "update_tool", { name: "changed", description: "by one" });
    await meta(one, "toggle_custom_tool", { name: "changed", enabled: false });
    const { description, status } = (await owner.get(`${TOOLS}/changed`)).body.data;
    expect({ description, status }).toEqual({ description: "changed", status: "active" });
    const gone = await meta(one, "delete_custom_tool", { name: "changed", confirm: true });
    expect(gone.body.data.deleted).toBe(true);
    expect((await one.get(`${TOOLS}/changed`)).body.data.agentId).toBeUndefined();
  });

  test("waits for a person and then is the agent's that asked", async () => {
    await owner.patch("/api/v1/tenant/settings", { approval: { metaTools: "ask" } });
    const asked = await makeTool(one, "asked_for");
    expect(asked.status).toBe(202);
    await owner.post(`${asked.body.data.links.self}/allow-once`, {});
    await owner.patch("/api/v1/tenant/settings", { approval: { metaTools: "preApproved" } });
    expect((await one.get(`${TOOLS}/asked_for`)).body.data.agentId).toBe("one");
    expect((await two.get(`${TOOLS}/asked_for`)).status).toBe(404);
  });
});

describe("calls that are made in other ways", () => {
  test("batches look up each call's own agent", async () => {
    const executions = [{ tool: "greet" }, { tool: "greet", context: { agentId: "one" } }];
    const toolsOf = async (client: Client) => {
      const batch = await client.post("/api/v1/executions/batch", { executions });
      const read = batch.body.data.executions.map(
        async ({ executionId }: { executionId: string }) =>
          (await owner.get(`/api/v1/executions/${executionId}`)).body.data.toolId,
      );
      return Promise.all(read);
    };
    expect(await toolsOf(owner)).toEqual([tenants, ones]);
    expect(await toolsOf(one)).toEqual([ones, ones]);
    expect(await toolsOf(two)).toEqual([tenants, tenants]);
  });

  test("a schedule runs what its name stood for to the agent in its context", async () => {
    const plan = { tool: "greet", everyMs: 3_600_000, context: { agentId: "one" } };
    const { id, toolId } = (await owner.post("/api/v1/schedules", plan)).body.data;
    expect(toolId).toBe(ones);
    const ran = await owner.post(`/api/v1/schedules/${id}/run`);
    expect(ran.status).toBeLessThan(300);
  });

  test("another agent's call can't be made again", async () => {
    const { executionId } = (await one.post(`${TOOLS}/ones_only/execute`, {})).body.data;
    const replay = (client: Client) => client.post(`/api/v1/executions/${executionId}/replay`);
    expect((await replay(two)).body.code).toBe("execution.not_found");
    expect((await replay(one)).status).toBe(202);
  });

  test("an Idempotency-Key of one agent's call is no answer to another's", async () => {
    const headers = { "idempotency-key": "same" };
    expect((await one.post(`${TOOLS}/greet/execute`, {}, headers)).body.data.result).toBe("one");
    expect((await two.post(`${TOOLS}/greet/execute`, {}, headers)).body.code).toBe("idempotency.conflict");
  });
});

test("an export keeps whose tool it is, and an import gives it back", async () => {
  const exported = (await owner.get(`${TOOLS}/export?names=greet&agentId=one`)).body.data.tools;
  const [folder] = Object.keys(exported);
  expect(exported[folder ?? ""]["manifest.json"]).toMatchObject({ name: "greet", agentId: "one" });
  const both = (await owner.get(`${TOOLS}/export`)).body.data.tools;
  expect(both.greet["manifest.json"]).not.toHaveProperty("agentId");
  expect(both).toMatchObject(exported);
  const other = await newTenant(product);
  const tools = { greet: both.greet, ...exported };
  expect((await other.owner.post(`${TOOLS}/import`, { tools })).status).toBe(200);
  expect((await other.owner.get(`${TOOLS}?agentId=one`)).body.data.count).toBe(1);
  expect((await other.owner.get(TOOLS)).body.data.count).toBe(2);
  const again = await other.owner.post(`${TOOLS}/import`, { tools: exported });
  expect(again.body.code).toBe("tool.name_taken");
});

test("an agent's id is bounded, stays as it was, and is only for agents' keys", async () => {
  const tool = { name: "bounded", description: "d", parameters: { type: "object" }, code: "return 1" };
  for (const agentId of ["", "x".repeat(201), "a\0", 7]) {
    const { status, body } = await owner.post(TOOLS, { ...tool, agentId });
    expect([status, body.errors[0].path]).toEqual([400, "agentId"]);
  }
  const moved = await owner.patch(`${TOOLS}/${ones}`, { agentId: "two" });
  expect([moved.status, moved.body.errors[0].path]).toEqual([400, "agentId"]);
  expect((await owner.get(`${TOOLS}?agentId=`)).status).toBe(400);
});
