import { newApprovalId, newToolId, type NewMetaToolApproval } from "@bulkhead/core";
import { until } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import { sampleTenant } from "../fixtures/samples.ts";
import { database, useStores } from "../fixtures/stores.ts";

useStores();

let tenantId: string;

beforeAll(async () => {
  ({ id: tenantId } = await database.tenants.create(sampleTenant()));
});

const LEASE_MS = 60_000;
const ALLOW = { answer: "allow_once", by: "key_2" } as const;
const RESULT = { result: { name: "made" } };

/** One that waits, for so many milliseconds. */
async function waiting(waitMs = 60_000): Promise<NewMetaToolApproval> {
  const createdAt = new Date();
  const approval: NewMetaToolApproval = {
    approvalId: newApprovalId(createdAt),
    tenantId,
    name: "create_tool",
    toolId: newToolId(),
    arguments: { name: "made", code: "return '\u0000'" },
    context: { conversationId: "talk" },
    requestedBy: "key_1",
    agentId: "agent-1",
    createdAt,
    expiresAt: new Date(createdAt.getTime() + waitMs).toISOString(),
  };
  await database.metaToolApprovals.insert(approval);
  return approval;
}

async function allowed(): Promise<NewMetaToolApproval> {
  const approval = await waiting();
  await database.metaToolApprovals.answer(approval, ALLOW);
  return approval;
}

const WAITING = { statuses: ["waiting"] } as const;

test("what waits is read and listed as it was asked, and counts with the executions that wait", async () => {
  const before = await database.approvals.countWaiting(tenantId, 100);
  const [first, second] = [await waiting(), await waiting()];
  expect(await database.metaToolApprovals.find(first)).toEqual({
    ...first,
    status: "waiting",
    answer: null,
    outcome: null,
  });
  const [newest] = await database.metaToolApprovals.list(tenantId, { ...WAITING, limit: 1 });
  expect(newest?.approvalId).toBe(second.approvalId);
  const behind = await database.metaToolApprovals.list(tenantId, {
    ...WAITING,
    before: second.approvalId,
    limit: 1,
  });
  expect(behind[0]?.approvalId).toBe(first.approvalId);
  expect(await database.approvals.countWaiting(tenantId, 100)).toBe(before + 2);
});

test("of ten answers at once one wins, and what was denied is never claimed", async () => {
  const approval = await waiting();
  const said = await Promise.all(
    Array.from({ length: 10 }, () =>
      database.metaToolApprovals.answer(approval, { answer: "deny", by: "key_2" }),
    ),
  );
  expect(said.filter(Boolean)).toHaveLength(1);
  const [denied] = await database.metaToolApprovals.list(tenantId, { statuses: ["denied"], limit: 1 });
  expect(denied?.approvalId).toBe(approval.approvalId);
  expect(await database.metaToolApprovals.claim(approval, LEASE_MS)).toBeNull();
  expect((await database.metaToolApprovals.find(approval))?.status).toBe("denied");
});

test("of ten who claim what was allowed one gets it, and does it", async () => {
  const approval = await allowed();
  const claims = await Promise.all(
    Array.from({ length: 10 }, () => database.metaToolApprovals.claim(approval, LEASE_MS)),
  );
  expect(claims.filter((claim) => claim !== null)).toMatchObject([{ run: 1 }]);
  expect(await database.metaToolApprovals.finish(approval, 1, RESULT)).toBe(true);
  expect(await database.metaToolApprovals.claim(approval, LEASE_MS)).toBeNull();
  expect(await database.metaToolApprovals.find(approval)).toMatchObject({
    status: "allowed",
    outcome: RESULT,
  });
});

test("what was allowed and left undone is found, and who was cut off can't finish it any more", async () => {
  const approval = await allowed();
  const { approvalId } = approval;
  const isUndone = async () =>
    (await database.metaToolApprovals.listUndone(0, 100)).some((one) => one.approvalId === approvalId);
  // The moment of the answer is kept in milliseconds, rounded up too: it may still be to come.
  await until(isUndone, { what: "what was allowed is found" });
  expect(await database.metaToolApprovals.listUndone(60_000, 100)).toEqual([]);
  await database.metaToolApprovals.claim(approval, 1);
  await until(isUndone, { what: "the end of the lease" });
  expect((await database.metaToolApprovals.claim(approval, LEASE_MS))?.run).toBe(2);
  expect(await isUndone()).toBe(false);
  expect(await database.metaToolApprovals.finish(approval, 1, RESULT)).toBe(false);
  const problem = { code: "tool.name_taken", title: "t", status: 409, detail: "d", retryable: false };
  const outcome = { problem: { ...problem, errors: [{ path: "name" }] } };
  expect(await database.metaToolApprovals.finish(approval, 2, outcome)).toBe(true);
  expect((await database.metaToolApprovals.find(approval))?.outcome).toEqual(outcome);
});

test("what expired can't be answered, is told once, and old ones are forgotten but for what is not done", async () => {
  const [expired, undone] = [await waiting(-1), await allowed()];
  expect((await database.metaToolApprovals.find(expired))?.status).toBe("expired");
  expect(await database.metaToolApprovals.answer(expired, ALLOW)).toBe(false);
  const ended = await database.metaToolApprovals.expireOverdue(100);
  expect(ended).toMatchObject([{ approvalId: expired.approvalId, answer: { answer: "expire", by: null } }]);
  expect(await database.metaToolApprovals.expireOverdue(100)).toEqual([]);
  expect(await database.metaToolApprovals.dropOld(1, 100)).toBe(0);
  await until(async () => (await database.metaToolApprovals.dropOld(0, 100)) > 0, { what: "the past" });
  expect(await database.metaToolApprovals.find(expired)).toBeNull();
  expect(await database.metaToolApprovals.find(undone)).not.toBeNull();
});

test("another tenant finds and answers nothing", async () => {
  const approval = { ...(await waiting()), tenantId: "ten_0000000000000000" };
  expect(await database.metaToolApprovals.find(approval)).toBeNull();
  expect(await database.metaToolApprovals.answer(approval, ALLOW)).toBe(false);
});
