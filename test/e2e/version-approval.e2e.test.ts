import { everyNth, sharedProduct } from "@bulkhead/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { createTool, newClient, newTenant, type Answer, type Client } from "../support/client.ts";

const TOOLS = "/api/v1/custom-tools";

const product = await sharedProduct();
let tenantId: string;
let owner: Client;
let agent: Client;

beforeAll(async () => {
  ({ id: tenantId, owner } = await newTenant(product));
  const withRole = (role: string) => newClient(product, tenantId, role);
  agent = await withRole("agent");
});

const stateOf = async (name: string, n: number) =>
  (await owner.get(`${TOOLS}/${name}/versions/${n}`)).body.data.state;
const run = async (name: string, body: object = {}) =>
  (await owner.post(`${TOOLS}/${name}/execute`, body)).body.data?.result;
const propose = (name: string, change: object) =>
  agent.post("/api/v1/meta-tools/update_tool", { name, ...change });
const make = (name: string, more: object = {}) =>
  createTool(owner, name, "return 'old';", { createdBy: "llm", ...more });
const refused = ({ status, body }: Answer) => [status, body.code];

describe("a new version of a tool that a model made", () => {
  test("serves at once while it may do no more than before", async () => {
    await make("plain", { permissions: ["network"], allowedHosts: ["*.example.com"] });
    const { body } = await propose("plain", { code: "return 'new';" });
    expect(body.data).toMatchObject({ version: 2, message: expect.stringContaining("runs from now on") });
    expect(body.data).not.toHaveProperty("pendingVersion");
    const { body: narrowed } = await owner.patch(`${TOOLS}/plain`, { allowedHosts: ["a.example.com"] });
    expect(narrowed.data).toMatchObject({ version: 3, allowedHosts: ["a.example.com"] });
    // What a person took away is approved no more.
    const { body: widened } = await owner.patch(`${TOOLS}/plain`, { allowedHosts: ["b.example.com"] });
    expect(widened.data).toMatchObject({ version: 3, pendingVersion: 4 });
    expect(await run("plain")).toBe("new");
  });

  const GROWTH: [string, object, object][] = [
    ["a permission", {}, { permissions: ["network"] }],
    ["a dangerous permission", {}, { permissions: ["shell"] }],
    ["a host", { permissions: ["network"], allowedHosts: ["a.example"] }, { allowedHosts: ["b.example"] }],
    ["any host", { permissions: ["network"], allowedHosts: ["a.example"] }, { allowedHosts: null }],
    ["a service", {}, { requiredConfigServices: [{ name: "weather" }] }],
    ["another tool", {}, { code: "return await utils.callTool('other', {});" }],
    ["any tool", {}, { code: "return await utils.callTool(args.name, {});" }],
    ["a higher limit", {}, { limits: { wallMs: 31_000 } }],
  ];
  test.each(everyNth(GROWTH, 2))(
    "[R9] waits where it adds %s, and the approved one keeps serving",
    async (what, made, change) => {
      const name = `grown_${what.replaceAll(" ", "_")}`;
      const before = await make(name, made);
      const { status, body } = await owner.patch(`${TOOLS}/${name}`, change);
      expect(status).toBe(200);
      expect(body.data).toMatchObject({
        status: "active",
        version: 1,
        pendingVersion: 2,
        contentHash: before.contentHash,
      });
      expect(await run(name)).toBe("old");
      expect(await stateOf(name, 2)).toBe("pending");
      const approved = await owner.post(`${TOOLS}/${name}/versions/2/approve`);
      expect(approved.body.data).toMatchObject({ status: "active", version: 2 });
      expect(approved.body.data).not.toHaveProperty("pendingVersion");
      expect(await stateOf(name, 2)).toBe("approved");
      // Now that much is approved.
      expect((await owner.patch(`${TOOLS}/${name}`, { description: "told" })).body.data.version).toBe(2);
    },
  );

  test("with a dangerous permission waits even where nothing grows", async () => {
    await make("dangerous", { permissions: ["email"] });
    await owner.post(`${TOOLS}/dangerous/approve`);
    const { status, body } = await propose("dangerous", { code: "return 'new';" });
    expect([status, body.data.pendingVersion]).toEqual([200, 2]);
    expect(body.data.message).toContain("waits for a person's approval");
    expect(await run("dangerous")).toBe("old");
    await owner.post(`${TOOLS}/dangerous/approve`);
    expect(await run("dangerous")).toBe("new");
  });

  test("is listed as pending and counted, with the tool it is of", async () => {
    const { owner: other } = await newTenant(product);
    await createTool(other, "waiting", "return 1;", { createdBy: "llm" });
    await createTool(other, "serving", "return 1;", { createdBy: "llm" });
    await createTool(other, "unapproved", "return 1;", { createdBy: "llm", permissions: ["shell"] });
    await other.patch(`${TOOLS}/waiting`, { permissions: ["network"] });
    const { tools, count } = (await other.get(`${TOOLS}/pending`)).body.data;
    expect(tools.map((tool: { name: string }) => tool.name)).toEqual(["unapproved", "waiting"]);
    expect(count).toBe(2);
    expect(tools[1]).toMatchObject({ status: "active", version: 1, pendingVersion: 2 });
    expect((await other.get(`${TOOLS}/stats`)).body.data).toMatchObject({ active: 2, pendingApproval: 2 });
  });

  test("[R9] that is rejected never runs, and the tool goes on as before", async () => {
    await make("kept");
    await propose("kept", { permissions: ["network"], code: "return 'new';" });
    const { status, body } = await owner.post(`${TOOLS}/kept/versions/2/reject`);
    expect([status, body.data.status, body.data.version]).toEqual([200, "active", 1]);
    expect(body.data).not.toHaveProperty("pendingVersion");
    expect(await stateOf("kept", 2)).toBe("rejected");
    expect(await run("kept")).toBe("old");
    expect(refused(await owner.post(`${TOOLS}/kept/versions/2/approve`))).toEqual([400, "tool.not_pending"]);
    expect(refused(await owner.post(`${TOOLS}/kept/approve`))).toEqual([400, "tool.not_pending"]);
    // Its number is not given again.
    expect((await propose("kept", { permissions: ["network"] })).body.data.pendingVersion).toBe(3);
  });

  test("replaces the one that waits and goes on from it", async () => {
    await make("twice");
    await propose("twice", { permissions: ["network"] });
    const { body } = await propose("twice", { code: "return 'new';" });
    expect(body.data).toMatchObject({ version: 1, pendingVersion: 3 });
    expect((await owner.get(`${TOOLS}/twice/versions/3`)).body.data).toMatchObject({
      permissions: ["network"],
      code: "return 'new';",
    });
    expect(await stateOf("twice", 2)).toBe("superseded");
    expect(refused(await owner.post(`${TOOLS}/twice/versions/2/approve`))).toEqual([400, "tool.not_pending"]);
    // Back to what serves: nothing is left to be approved.
    const { body: back } = await propose("twice", { permissions: [], code: "return 'old';" });
    expect(back.data).toMatchObject({ version: 1 });
    expect(back.data).not.toHaveProperty("pendingVersion");
    expect(await stateOf("twice", 3)).toBe("superseded");
  });

  test("serves at once over one that waits where it adds nothing to what serves", async () => {
    await make("mended");
    await owner.patch(`${TOOLS}/mended`, { permissions: ["network"] });
    const { body } = await owner.patch(`${TOOLS}/mended`, { code: "return 'mended';" });
    expect(body.data).toMatchObject({ version: 3, permissions: [] });
    expect(body.data).not.toHaveProperty("pendingVersion");
    expect(await stateOf("mended", 2)).toBe("superseded");
  });
});

describe("an unapproved version", () => {
  test("can neither be pinned nor restored", async () => {
    await make("unpinned");
    await propose("unpinned", { permissions: ["network"], code: "return 'rejected';" });
    const calls = () => [
      owner.post(`${TOOLS}/unpinned/execute`, { version: 2 }),
      owner.post(`${TOOLS}/unpinned/versions/2/restore`),
    ];
    for (const answer of await Promise.all(calls()))
      expect(refused(answer)).toEqual([409, "tool.version_not_approved"]);
    await owner.post(`${TOOLS}/unpinned/reject`);
    for (const answer of await Promise.all(calls()))
      expect(refused(answer)).toEqual([409, "tool.version_not_approved"]);
    const batch = await owner.post("/api/v1/executions/batch", {
      executions: [{ tool: "unpinned", version: 2 }],
    });
    expect(batch.body.data.executions[0].error.code).toBe("tool.version_not_approved");
  });

  test("can be pinned from the moment it is approved, and restored without another approval", async () => {
    await make("pinned");
    await propose("pinned", { permissions: ["network"], code: "return 'second';" });
    await owner.post(`${TOOLS}/pinned/execute`, { version: 2 });
    await owner.post(`${TOOLS}/pinned/versions/2/approve`);
    await owner.patch(`${TOOLS}/pinned`, { permissions: [], code: "return 'third';" });
    expect(await run("pinned", { version: 2 })).toBe("second");
    const restored = await owner.post(`${TOOLS}/pinned/versions/2/restore`);
    expect(restored.body.data).toMatchObject({ version: 4, permissions: ["network"] });
  });
});

describe("deleting and creating again is no way round", () => {
  test("what may do more than was approved under the name waits", async () => {
    await make("again", { permissions: ["network"], allowedHosts: ["a.example"] });
    await owner.delete(`${TOOLS}/again`);
    const grown = await make("again", { permissions: ["network"], allowedHosts: ["b.example"] });
    expect(grown.status).toBe("pending_approval");
    await owner.delete(`${TOOLS}/again`);
    const still = await make("again", { permissions: ["network"] });
    expect(still.status).toBe("pending_approval");
    await owner.delete(`${TOOLS}/again`);
    const same = await make("again", { permissions: ["network"], allowedHosts: ["a.example"] });
    expect(same.status).toBe("active");
    expect((await owner.patch(`${TOOLS}/again`, { allowedHosts: null })).body.data.pendingVersion).toBe(2);
  });

  test("nor is renaming the tool away from its name", async () => {
    await make("renamed");
    await owner.patch(`${TOOLS}/renamed`, { name: "renamed_away" });
    expect((await make("renamed", { permissions: ["network"] })).status).toBe("pending_approval");
    expect((await make("renamed_fresh", { permissions: ["network"] })).status).toBe("active");
  });
});
