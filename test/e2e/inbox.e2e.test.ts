import { sharedProduct } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import { Client, createTool, newTenant } from "../support/client.ts";

const TOOLS = "/api/v1/custom-tools";

const product = await sharedProduct();
let owner: Client;
let agent: Client;
/** Another agent of the tenant. */
let stranger: Client;

beforeAll(async () => {
  const tenant = await newTenant(product);
  owner = tenant.owner;
  const keyOf = async (agentId: string) => {
    const asked = { name: agentId, role: "agent", agentId };
    const { body } = await owner.post(`/api/v1/tenants/${tenant.id}/api-keys`, asked);
    return new Client(product.url, body.data.key);
  };
  [agent, stranger] = [await keyOf("alpha"), await keyOf("beta")];
});

test("a person who asks for an agent's tool by its name is told how it is found; an agent is told nothing of others'", async () => {
  const { id } = await createTool(owner, "alphas_own", "return 1;", { agentId: "alpha" });
  const nobody = "There is no tool with this id or name; GET /api/v1/custom-tools lists yours.";
  const detailOf = async (client: Client, path: string) => {
    const { status, body } = await client.post(path, { arguments: {} });
    expect([status, body.code]).toEqual([404, "tool.not_found"]);
    return body.detail;
  };
  for (const name of ["alphas_own", "not_there"]) {
    // The same for both: it says how, not whether.
    expect(await detailOf(owner, `${TOOLS}/${name}/execute`)).toBe(
      `${nobody} A name stands for the tenant's tool: an agent's own is found by its id, or in a call whose context names the agent (agentId).`,
    );
    expect((await owner.get(`${TOOLS}/${name}`)).body.detail).toContain("context names the agent");
    expect(await detailOf(stranger, `${TOOLS}/${name}/execute`)).toBe(nobody);
    expect((await stranger.get(`${TOOLS}/${name}`)).body.detail).toBe(nobody);
  }
  // As it says.
  const call = { arguments: {}, context: { agentId: "alpha" } };
  expect((await owner.post(`${TOOLS}/alphas_own/execute`, call)).body.data.result).toBe(1);
  expect((await owner.get(`${TOOLS}/${id}`)).body.data.name).toBe("alphas_own");
});

const inbox = async (client: Client) => (await client.get("/api/v1/approvals")).body.data;

test("who looks for what waits is told which agent asks, and what waits elsewhere", async () => {
  product.showLogsIfTestFails();
  expect((await inbox(owner)).tools).toEqual({ count: 0, link: "/api/v1/custom-tools/pending" });
  await createTool(owner, "asks", "return 1;", { approval: "ask" });
  const called = await agent.post(`${TOOLS}/asks/execute`, { arguments: {} });
  expect(called.body.data.status).toBe("awaiting_approval");
  const making = { name: "made", description: "d", parameters: '{"type":"object"}', code: "return 1;" };
  await agent.post("/api/v1/meta-tools/create_tool", making);
  // One tool waits itself, of another a version does, a third does not wait.
  await createTool(owner, "waits", "return 1;", { createdBy: "llm", permissions: ["shell"] });
  await createTool(owner, "serves", "return 1;", { createdBy: "llm" });
  await owner.patch(`${TOOLS}/serves`, { permissions: ["network"] });
  const shown = await inbox(owner);
  expect(shown.approvals).toMatchObject([
    { kind: "meta_tool", toolName: "create_tool", agentId: "alpha" },
    { kind: "execution", toolName: "asks", agentId: "alpha" },
  ]);
  expect([shown.tools.count, shown.waitingCount]).toEqual([2, 2]);
  const { tools } = (await owner.get(shown.tools.link)).body.data;
  expect(tools.map(({ name }: { name: string }) => name)).toEqual(["serves", "waits"]);
  const [, { id }] = shown.approvals;
  expect((await owner.get(`/api/v1/approvals/${id}`)).body.data.agentId).toBe("alpha");
  expect((await inbox(stranger)).waitingCount).toBe(0);
  expect((await owner.post(`/api/v1/approvals/${id}/deny`, { reason: "no" })).status).toBe(200);
  const answered = (await owner.get("/api/v1/approvals?status=allowed,denied")).body.data;
  expect(answered).toMatchObject({ approvals: [{ id, status: "denied", reason: "no" }], waitingCount: 1 });
  expect((await owner.get("/api/v1/approvals?status=answered")).status).toBe(400);
});
