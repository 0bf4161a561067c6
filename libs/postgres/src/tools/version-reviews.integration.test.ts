import {
  RUN_LIMITS_DEFAULT,
  type Capabilities,
  type NewReview,
  type Tool,
  type ToolDefinition,
  type VersionDecision,
} from "@bulkhead/core";
import { isNightly } from "@bulkhead/testing";
import { describe, expect, test } from "vitest";
import { sampleTool } from "../fixtures/samples.ts";
import { database, otherId, tenantId, useTwoTenants } from "../fixtures/stores.ts";

useTwoTenants();

const ROUNDS = isNightly ? 50 : 3;
const REVIEW: NewReview = {
  grown: [{ kind: "limit", target: "cpuMs", before: 1, after: 2 }],
  proposedBy: { keyId: "key_0000000000000001", agentId: "a", conversationId: "c" },
};
const LEAST: Capabilities = {
  permissions: ["network"],
  hosts: null,
  services: ["s"],
  tools: [],
  limits: RUN_LIMITS_DEFAULT,
};
const NOTHING = { requiredApiKeys: [], requiredConfigServices: [] };

const definition = (code: string): ToolDefinition => ({ ...sampleTool(tenantId), code });
const propose = (tool: Tool, code: string) =>
  database.tools.update(tenantId, tool.id, tool.revision, { definition: definition(code), review: REVIEW });
const decide = (tool: Tool, version: number, to: VersionDecision["to"], reason: string | null = null) =>
  database.tools.decide(tenantId, tool.id, tool.revision, {
    version,
    to,
    by: "key_0000000000000002",
    reason,
    approved: to === "approved" ? LEAST : null,
    requirements: NOTHING,
  });
const must = <T>(value: T | null): T => {
  if (value === null) throw new Error("nothing was changed");
  return value;
};
const stateOf = async ({ id }: Tool, version: number) =>
  (await database.tools.findVersion(tenantId, id, version))?.state;

describe("a version that waits", () => {
  test("leaves the serving one in place until it is approved", async () => {
    const tool = await database.tools.create(sampleTool(tenantId));
    const waiting = must(await propose(tool, "return 2"));
    expect(waiting).toMatchObject({ version: 1, pendingVersion: 2, code: tool.code, revision: 2 });
    expect(await database.tools.findReview(tenantId, tool.id, 2)).toEqual({
      ...REVIEW,
      version: 2,
      state: "pending",
      proposedAt: waiting.updatedAt,
      decidedBy: null,
      decidedAt: null,
      reason: null,
    });
    const approved = must(await decide(waiting, 2, "approved"));
    expect(approved).toMatchObject({
      version: 2,
      pendingVersion: null,
      code: "return 2",
      approved: LEAST,
      revision: 3,
    });
    expect(await database.tools.findReview(tenantId, tool.id, 2)).toMatchObject({
      state: "approved",
      decidedBy: "key_0000000000000002",
      decidedAt: expect.any(Date),
    });
    expect(await database.tools.findReview(tenantId, tool.id, 1)).toBeNull();
  });

  test("that is rejected, withdrawn or superseded never runs, and its number is not given again", async () => {
    const tool = await database.tools.create(sampleTool(tenantId));
    const rejected = must(await decide(must(await propose(tool, "return 2")), 2, "rejected", "It mails."));
    expect(rejected).toMatchObject({
      version: 1,
      pendingVersion: null,
      status: "active",
      statusReason: null,
    });
    expect(await database.tools.findReview(tenantId, tool.id, 2)).toMatchObject({ reason: "It mails." });
    expect(await database.tools.findVersion(tenantId, tool.id, 2)).toMatchObject({ reason: "It mails." });
    const proposed = must(await propose(rejected, "return 3"));
    const withdrawn = must(
      await database.tools.update(tenantId, tool.id, proposed.revision, { withdraw: true }),
    );
    expect(withdrawn).toMatchObject({ version: 1, pendingVersion: null });
    const replaced = must(await propose(must(await propose(withdrawn, "return 4")), "return 5"));
    expect(replaced).toMatchObject({ version: 1, pendingVersion: 5 });
    const served = must(
      await database.tools.update(tenantId, tool.id, replaced.revision, {
        definition: definition("return 6"),
      }),
    );
    expect(served).toMatchObject({ version: 6, pendingVersion: null });
    expect(await Promise.all([1, 2, 3, 4, 5, 6].map((version) => stateOf(tool, version)))).toEqual([
      "approved",
      "rejected",
      "superseded",
      "superseded",
      "superseded",
      "approved",
    ]);
    const listed = await database.tools.listVersions(tenantId, tool.id, { limit: 2 });
    expect(listed.map(({ state }) => state)).toEqual(["approved", "superseded"]);
  });

  test("of a tool that nobody has approved stands for approval itself", async () => {
    const made = await database.tools.create(
      sampleTool(tenantId, { status: "pending_approval", createdBy: "llm", review: REVIEW }),
    );
    expect(await stateOf(made, 1)).toBe("pending");
    const changed = must(await propose(made, "return 2"));
    expect(changed).toMatchObject({ version: 2, pendingVersion: null, status: "pending_approval" });
    expect(await decide(changed, 1, "approved")).toBeNull();
    expect(must(await decide(changed, 2, "approved"))).toMatchObject({ version: 2, status: "active" });
    expect([await stateOf(made, 1), await stateOf(made, 2)]).toEqual(["superseded", "approved"]);
    const refused = await database.tools.create(
      sampleTool(tenantId, { status: "pending_approval", review: REVIEW }),
    );
    expect(must(await decide(refused, 1, "rejected", "Too much."))).toMatchObject({
      status: "rejected",
      statusReason: "Too much.",
    });
    expect(await stateOf(refused, 1)).toBe("rejected");
  });

  test("is decided about once, as it was read, and by nobody else's key", async () => {
    const tool = must(await propose(await database.tools.create(sampleTool(tenantId)), "return 2"));
    const decision = {
      version: 2,
      to: "approved",
      by: "k",
      reason: null,
      approved: LEAST,
      requirements: NOTHING,
    } as const;
    expect(await database.tools.decide(otherId, tool.id, tool.revision, decision)).toBeNull();
    expect(await database.tools.findReview(otherId, tool.id, 2)).toBeNull();
    expect(await decide({ ...tool, revision: tool.revision - 1 }, 2, "approved")).toBeNull();
    expect(await decide(tool, 3, "approved")).toBeNull();
    const both = await Promise.all([decide(tool, 2, "approved"), decide(tool, 2, "rejected")]);
    expect(both.filter((decided) => decided !== null)).toHaveLength(1);
  });
});

test("approving races with updates and never activates what was not seen, round after round", async () => {
  const wins = { approve: 0, update: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    const tool = must(await propose(await database.tools.create(sampleTool(tenantId)), "return 'seen'"));
    const racing = [() => decide(tool, 2, "approved"), () => propose(tool, "return 'unseen'")];
    const order = round % 2 === 0 ? racing : racing.toReversed();
    const won = (await Promise.all(order.map((race) => race()))).filter((result) => result !== null);
    expect(won).toHaveLength(1);
    const now = must(await database.tools.find(tenantId, tool.id, { agentId: null, seesAll: true }));
    if (now.version === 2) {
      wins.approve += 1;
      expect(now).toMatchObject({ code: "return 'seen'", pendingVersion: null });
    } else {
      wins.update += 1;
      expect(now).toMatchObject({ version: 1, code: tool.code, pendingVersion: 3 });
      expect([await stateOf(tool, 2), await stateOf(tool, 3)]).toEqual(["superseded", "pending"]);
    }
  }
  expect(wins.approve + wins.update).toBe(ROUNDS);
});
