import { isNightly, sharedProduct } from "@bulkhead/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { createTool, newClient, newTenant, type Answer, type Client } from "../support/client.ts";

const TOOLS = "/api/v1/custom-tools";
const META = "/api/v1/meta-tools";
const ROUNDS = isNightly ? 10 : 2;

const product = await sharedProduct();
let owner: Client;
let agent: Client;

beforeAll(async () => {
  const tenant = await newTenant(product);
  owner = tenant.owner;
  agent = await newClient(product, tenant.id, "agent");
  await owner.patch("/api/v1/tenant/settings", { approval: { metaTools: "preApproved" } });
});

const make = (name: string, more: object = {}) =>
  agent.post(`${META}/create_tool`, {
    name,
    description: "d",
    parameters: '{"type":"object"}',
    code: "return 'a model';",
    ...more,
  });
const change = (name: string, more: object) => agent.post(`${META}/update_tool`, { name, ...more });
const drop = (name: string) => agent.post(`${META}/delete_custom_tool`, { name, confirm: true });
const read = async (name: string) => (await owner.get(`${TOOLS}/${name}`)).body.data;
const call = (by: Client, name: string, body: object = {}, headers = {}) =>
  by.post(`${TOOLS}/${name}/execute`, body, headers);
const refused = ({ status, body }: Answer) => [status, body.code];
const NETWORK = { permissions: ["network"] };

describe("a model gets nothing by itself that people did not approve", () => {
  test("[R9] by deleting its tool and making it anew at the same time", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const name = `raced_${round}`;
      await make(name);
      const [, ...made] = await Promise.all([
        drop(name),
        ...Array.from({ length: 6 }, () => make(name, NETWORK)),
      ]);
      const stored = made.filter(({ status }) => status < 300).map(({ body }) => body.data.status);
      expect(stored).not.toContain("active");
    }
  });

  test("[R9] by taking back what a person took away, in a new version or a new tool", async () => {
    await make("narrowed", NETWORK);
    await owner.patch(`${TOOLS}/narrowed`, { permissions: [], approval: "blocked" });
    expect((await change("narrowed", NETWORK)).body.data.pendingVersion).toBe(3);
    await drop("narrowed");
    expect((await make("narrowed", NETWORK)).body.data.status).toBe("pending_approval");
    expect(await read("narrowed")).toMatchObject({ status: "pending_approval", approval: "blocked" });
  });

  test("[R9] by calling an old version that may do more than the one which serves", async () => {
    await createTool(owner, "pinned", "return 'old';", { ...NETWORK, approval: "preApproved" });
    await owner.patch(`${TOOLS}/pinned`, { permissions: [], code: "return 'new';" });
    const answer = await call(agent, "pinned", { version: 1 });
    expect(refused(answer)).toEqual([409, "tool.version_not_approved"]);
    expect(answer.body.detail).toContain("permission network");
    expect((await call(owner, "pinned", { version: 1 })).body.data.result).toBe("old");
    await owner.patch(`${TOOLS}/pinned`, { code: "return 'newer';" });
    expect((await call(agent, "pinned", { version: 2 })).body.data.result).toBe("new");
  });

  test("[R9] by what was allowed for good of a version that a person replaced", async () => {
    await make("allowed");
    const { executionId } = (await call(agent, "allowed")).body.data;
    await owner.post(`/api/v1/approvals/${executionId}/allow-always`, {});
    expect((await call(agent, "allowed")).body.data.status).toBe("succeeded");
    await owner.patch(`${TOOLS}/allowed`, { code: "return 'mended';" });
    expect((await call(agent, "allowed", { version: 1 })).body.data.status).toBe("awaiting_approval");
  });

  test("[R9] by the name of a person's tool that was deleted or renamed", async () => {
    await createTool(owner, "deleted", "return 1;");
    await createTool(owner, "renamed", "return 1;");
    await owner.delete(`${TOOLS}/deleted`);
    await owner.patch(`${TOOLS}/renamed`, { name: "renamed_away" });
    for (const name of ["deleted", "renamed"])
      expect((await make(name)).body.data.status).toBe("pending_approval");
  });

  test("[T5] by deleting what was rejected, changed before or not, and making it anew with less", async () => {
    for (const name of ["rejected", "rejected_and_changed"]) {
      const { id } = (await make(name, { permissions: ["shell"], code: "return 'rejected';" })).body.data;
      await owner.post(`${TOOLS}/${name}/reject`);
      if (name === "rejected_and_changed") await change(name, { permissions: [] });
      expect((await drop(name)).body.data.deleted).toBe(true);
      expect((await make(name)).body.data.status).toBe("pending_approval");
      const { grown } = (await owner.get(`${TOOLS}/${name}/versions/1/evidence`)).body.data;
      expect(grown).toContainEqual(expect.objectContaining({ kind: "limit", target: "cpuMs", before: 0 }));
      // What was rejected, and by whom, is told of a tool that is gone.
      const { entries } = (await owner.get(`/api/v1/audit?subjectId=${id}`)).body.data;
      const rejection = entries.find(({ action }: { action: string }) => action === "tool.rejected");
      expect(rejection).toMatchObject({
        actor: { role: "owner" },
        subject: { id, name },
        beforeHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        details: { decidedVersion: 1, permissions: ["shell"], hosts: [], services: [], tools: [] },
      });
      expect(entries[0]).toMatchObject({ action: "tool.deleted", actor: { role: "agent" } });
    }
  });

  test("by the Idempotency-Key of a person's call", async () => {
    await createTool(owner, "asks", "return 'a person';", { approval: "ask" });
    const once = { "idempotency-key": "the-same" };
    expect((await call(owner, "asks", {}, once)).body.data.result).toBe("a person");
    const answer = await call(agent, "asks", {}, once);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(JSON.stringify(answer.body)).not.toContain("a person");
  });
});

test("[R9] an approval that names nothing is not for a version that took another's place", async () => {
  await make("swapped", { permissions: ["shell"] });
  await change("swapped", { code: "return 'unseen';" });
  const answer = await owner.post(`${TOOLS}/swapped/approve`);
  expect(refused(answer)).toEqual([409, "tool.changed"]);
  expect(answer.body.detail).toContain("Version 2 waits");
  expect((await read("swapped")).status).toBe("pending_approval");
  const { contentHash } = await read("swapped");
  expect((await owner.post(`${TOOLS}/swapped/approve`, { contentHash })).body.data.version).toBe(2);
  // After a decision the next proposal is the only one again.
  await change("swapped", { code: "return 'next';" });
  expect((await owner.post(`${TOOLS}/swapped/approve`)).body.data.version).toBe(3);
});
