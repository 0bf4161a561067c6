import { isNightly, sharedProduct } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import { Client, createTool, newTenant } from "../support/client.ts";

/**
 * The next request after an answered change sees it, whichever API it meets. The project `many` asks each time another of three
 * APIs, so that a word between them that is merely under way is too late in some of these rounds.
 */
const ROUNDS = isNightly ? 20 : 3;

const TOOLS = "/api/v1/custom-tools";
const product = await sharedProduct();
let id: string;
let owner: Client;
let agent: Client;

const newKey = async (role: string) => {
  const made = await owner.post(`/api/v1/tenants/${id}/api-keys`, { name: "k", role });
  return { id: made.body.data.id as string, client: new Client(product.url, made.body.data.key) };
};

beforeAll(async () => {
  ({ id, owner } = await newTenant(product));
  agent = (await newKey("agent")).client;
  await createTool(owner, "changing", "return 0");
});

const call = async (client = owner) => {
  const { status, body } = await client.post(`${TOOLS}/changing/execute`, {});
  return { status, code: body.code, result: body.data?.result };
};

test("new code runs at once", async () => {
  for (let round = 1; round <= ROUNDS; round += 1) {
    expect((await owner.patch(`${TOOLS}/changing`, { code: `return ${round}` })).status).toBe(200);
    expect((await call()).result).toBe(round);
  }
});

test("a tool that is disabled is refused at once, and enabled runs at once", async () => {
  for (let round = 1; round <= ROUNDS; round += 1) {
    await owner.post(`${TOOLS}/changing/disable`);
    expect(await call()).toMatchObject({ status: 400, code: "tool.not_active" });
    await owner.post(`${TOOLS}/changing/enable`);
    expect((await call()).status).toBe(200);
  }
});

test("a tenant's settings hold at once", async () => {
  for (let round = 1; round <= ROUNDS; round += 1) {
    await owner.patch("/api/v1/tenant/settings", { approval: { default: "preApproved" } });
    expect((await call(agent)).status).toBe(200);
    await owner.patch("/api/v1/tenant/settings", { approval: { tools: { changing: "blocked" } } });
    expect(await call(agent)).toMatchObject({ status: 403, code: "tool.blocked" });
    await owner.patch("/api/v1/tenant/settings", { approval: { tools: {} } });
  }
});

test("a deleted key opens nothing at once", async () => {
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { id: keyId, client } = await newKey("viewer");
    // Three APIs remember it.
    for (let times = 0; times < 3; times += 1) expect((await client.get(TOOLS)).status).toBe(200);
    expect((await owner.delete(`/api/v1/tenants/${id}/api-keys/${keyId}`)).status).toBe(200);
    expect((await client.get(TOOLS)).body.code).toBe("auth.invalid_key");
  }
});

test("definitions are those of the tools that there are", async () => {
  const names = async (): Promise<string[]> =>
    (await owner.get(`${TOOLS}/active/definitions?format=mcp`)).body.data.tools.map(
      ({ name }: { name: string }) => name,
    );
  for (let round = 1; round <= ROUNDS; round += 1) {
    await createTool(owner, "passing", "return 1");
    expect(await names()).toContain("passing");
    expect((await owner.delete(`${TOOLS}/passing`)).status).toBe(200);
    expect(await names()).not.toContain("passing");
  }
});
