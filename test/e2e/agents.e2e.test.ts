import { sharedProduct } from "@bulkhead/testing";
import { expect, test } from "vitest";
import { Client, createTool, newClient, newTenant } from "../support/client.ts";

const POLICY = "/api/v1/policy";
const AGENTS = "/api/v1/agents";

const product = await sharedProduct();

test("agents are told with what each has, and which of them get a tool, to people alone", async () => {
  product.showLogsIfTestFails();
  const { id, owner } = await newTenant(product);
  const viewer = await newClient(product, id, "viewer");
  const keyOf = async (body: object) =>
    (await owner.post(`/api/v1/tenants/${id}/api-keys`, { name: "k", role: "agent", ...body })).body.data.key;
  const one = new Client(product.url, await keyOf({ agentId: "one" }));
  await keyOf({ agentId: "one" });
  await keyOf({});
  const { id: toolId } = await createTool(owner, "hidden", "return 1;");
  const { id: ownId } = await createTool(owner, "own", "return 1;", { agentId: "three" });
  const document = JSON.stringify({ agents: { one: { deny: ["hidden"] }, two: {} } });
  expect((await owner.raw("PUT", POLICY, document, { "content-type": "application/json" })).status).toBe(200);

  const agents = [
    { id: "one", keys: 2, inPolicy: true, tools: 0 },
    { id: "three", keys: 0, inPolicy: false, tools: 1 },
    { id: "two", keys: 0, inPolicy: true, tools: 0 },
    { keys: 1, inPolicy: false, tools: 0 },
  ];
  expect((await viewer.get(AGENTS)).body.data).toEqual({ agents, nextCursor: null });
  const page = async (query: string) => (await viewer.get(`${AGENTS}?${query}`)).body;
  expect((await page("limit=2")).data).toEqual({ agents: agents.slice(0, 2), nextCursor: "three" });
  expect((await page("limit=2&cursor=three")).data).toEqual({ agents: agents.slice(2), nextCursor: null });
  expect((await page("cursor=three-and")).data.agents).toEqual(agents.slice(2));
  expect((await page("limit=201")).errors[0].path).toBe("limit");
  const explain = async (tool: string) => (await viewer.post(`${POLICY}/explain-tool`, { tool })).body;
  const why = "allowed: no list of the policy takes it";
  const hidden = {
    name: "hidden",
    status: "active",
    agents: [
      { allowed: true, why },
      {
        agentId: "one",
        allowed: false,
        step: "agents.one.deny",
        entry: "hidden",
        why: 'not allowed: "hidden" in agents.one.deny',
      },
      { agentId: "three", allowed: true, why },
      { agentId: "two", allowed: true, why },
    ],
  };
  for (const ref of ["hidden", toolId]) expect((await explain(ref)).data).toEqual(hidden);
  expect((await explain(ownId)).data.agents).toEqual([{ agentId: "three", allowed: true, why }]);
  expect((await explain("search_tools")).data.name).toBe("search_tools");
  expect((await explain("no_such")).code).toBe("tool.not_found");
  expect((await one.get(AGENTS)).status).toBe(403);
  expect((await one.post(`${POLICY}/explain-tool`, { tool: "hidden" })).status).toBe(403);
});
