import { isNightly, openSse, sharedProduct } from "@bulkhead/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { createTool, newClient, newTenant, type Answer, type Client } from "../support/client.ts";

const TOOLS = "/api/v1/custom-tools";
const ROUNDS = isNightly ? 50 : 5;

const product = await sharedProduct();
let owner: Client;
let developer: Client;
let agent: Client;

beforeAll(async () => {
  const tenant = await newTenant(product);
  owner = tenant.owner;
  const withRole = (role: string) => newClient(product, tenant.id, role);
  developer = await withRole("developer");
  agent = await withRole("agent");
});

const propose = (name: string, change: object) =>
  agent.post("/api/v1/meta-tools/update_tool", { name, ...change });
const make = (name: string) => createTool(owner, name, "return 'old';", { createdBy: "llm" });
const refused = ({ status, body }: Answer) => [status, body.code];

describe("who approves, and what", () => {
  test("[R9] binds to what was looked at: by version, by content hash, or by the tool's state", async () => {
    await make("bound");
    await propose("bound", { permissions: ["network"] });
    const seen = (await owner.get(`${TOOLS}/bound/versions/2`)).body.data.contentHash;
    const { headers } = await owner.get(`${TOOLS}/bound`);
    await propose("bound", { code: "return 'unseen';" });
    const attempts = [
      owner.post(`${TOOLS}/bound/approve`, { contentHash: seen }),
      owner.post(`${TOOLS}/bound/approve`, undefined, { "if-match": headers.get("etag") ?? "" }),
      owner.post(`${TOOLS}/bound/versions/3/approve`, { contentHash: seen }),
    ];
    for (const answer of await Promise.all(attempts))
      expect(refused(answer)).toEqual([412, "tool.precondition_failed"]);
    expect(refused(await owner.post(`${TOOLS}/bound/versions/2/approve`))).toEqual([400, "tool.not_pending"]);
    expect((await owner.post(`${TOOLS}/bound/approve`, { contentHash: "x" })).status).toBe(400);
    const now = (await owner.get(`${TOOLS}/bound/versions/3`)).body.data.contentHash;
    const approved = await owner.post(`${TOOLS}/bound/approve`, { contentHash: now });
    expect(approved.body.data).toMatchObject({ version: 3, contentHash: now });
  });

  test("races with updates and never activates what was not seen, round after round", async () => {
    const { contentHash: first } = await make("raced");
    let serving = first;
    for (let round = 0; round < ROUNDS; round += 1) {
      const { body } = await owner.patch(`${TOOLS}/raced`, {
        code: `return ${round};`,
        limits: { wallMs: 31_000 + round * 10 },
      });
      const seen = body.data.pendingVersion;
      const { contentHash } = (await owner.get(`${TOOLS}/raced/versions/${seen}`)).body.data;
      const approve =
        round % 2 === 0
          ? () => owner.post(`${TOOLS}/raced/approve`, { contentHash })
          : () => owner.post(`${TOOLS}/raced/versions/${seen}/approve`);
      const [approved, changed] = await Promise.all([
        approve(),
        owner.patch(`${TOOLS}/raced`, { code: "return 'unseen';", limits: { wallMs: 40_000 + round } }),
      ]);
      if (approved.status === 200) serving = contentHash;
      else expect([400, 409, 412]).toContain(approved.status);
      expect([200, 409]).toContain(changed.status);
      const now = (await owner.get(`${TOOLS}/raced`)).body.data;
      expect(now.contentHash).toBe(serving);
    }
  }, 240_000);

  test("is an owner, or a developer where the tenant says so; never an agent", async () => {
    await make("guarded");
    await propose("guarded", { permissions: ["network"] });
    for (const client of [developer, agent]) {
      for (const path of ["approve", "reject", "versions/2/approve", "versions/2/reject"])
        expect(refused(await client.post(`${TOOLS}/guarded/${path}`))).toEqual([403, "auth.forbidden"]);
    }
    await owner.patch("/api/v1/tenant/settings", { approval: { developersMayApprove: true } });
    expect((await developer.post(`${TOOLS}/guarded/versions/2/approve`)).status).toBe(200);
    await owner.patch("/api/v1/tenant/settings", { approval: { developersMayApprove: false } });
  });

  test("can be a tenant's policy, for versions that ask for nothing more", async () => {
    const { owner: trusting } = await newTenant(product);
    await trusting.patch("/api/v1/tenant/settings", { approval: { autoApproveWithoutGrowth: true } });
    const made = await createTool(trusting, "trusted", "return 1;", {
      createdBy: "llm",
      permissions: ["email"],
    });
    expect(made["status"]).toBe("pending_approval");
    await trusting.post(`${TOOLS}/trusted/approve`);
    const { body } = await trusting.patch(`${TOOLS}/trusted`, { code: "return 2;" });
    expect(body.data).toMatchObject({ version: 2 });
    expect(body.data).not.toHaveProperty("pendingVersion");
    const { body: grown } = await trusting.patch(`${TOOLS}/trusted`, { permissions: ["email", "network"] });
    expect(grown.data.pendingVersion).toBe(3);
  });

  test("is put down with the hashes, and told to those who watch the tenant", async () => {
    const inbox = await openSse(`${product.url}/api/v1/events`, {
      headers: { authorization: `Bearer ${owner.key}` },
    });
    const { id, contentHash: first } = await make("told");
    await propose("told", { permissions: ["network"] });
    const second = (await owner.get(`${TOOLS}/told/versions/2`)).body.data.contentHash;
    await owner.post(`${TOOLS}/told/versions/2/approve`);
    await propose("told", { permissions: ["network", "email"] });
    const reason = `No mail, and not with ghp_${"a1B2".repeat(9)}.`;
    const rejected = await owner.post(`${TOOLS}/told/versions/3/reject`, { reason });
    expect(rejected.body.data).toMatchObject({ version: 2, status: "active" });
    const covered = "No mail, and not with [REDACTED].";
    const told = await agent.post("/api/v1/meta-tools/describe_tools", { names: ["told"] });
    expect(told.body.data.tools[0].rejected).toEqual({ version: 3, reason: covered });
    for (const path of ["versions/3", "versions/3/evidence"])
      expect((await agent.get(`${TOOLS}/told/${path}`)).body.data.reason).toBe(covered);
    const events: string[] = [];
    const reasons: unknown[] = [];
    while (events.length < 5) {
      const event = await inbox.next();
      if (event === null) throw new Error("the stream ended");
      const { toolId, toolVersion } = event.data;
      if (toolId !== id) continue;
      events.push(`${event.event} ${String(toolVersion)}`);
      reasons.push(event.data["reason"]);
    }
    await inbox.close();
    expect(events).toEqual([
      "tool.created 1",
      "tool.version_proposed 2",
      "tool.version_approved 2",
      "tool.version_proposed 3",
      "tool.version_rejected 3",
    ]);
    expect(reasons).toEqual([undefined, undefined, undefined, undefined, covered]);
    const { entries } = (await owner.get(`/api/v1/audit?subjectId=${id}`)).body.data;
    expect(entries[0].details).toMatchObject({ decidedVersion: 3, reasonGiven: true });
    const deeds = entries.map((entry: Record<string, unknown>) => [
      entry["action"],
      entry["beforeHash"],
      entry["afterHash"],
    ]);
    expect(deeds).toEqual([
      ["tool.version_rejected", second, second],
      ["tool.version_proposed", second, second],
      ["tool.version_approved", first, second],
      ["tool.version_proposed", first, first],
      ["tool.created", undefined, first],
    ]);
    expect(entries[2].details).toMatchObject({ decidedVersion: 2, contentHash: second });
  });
});
