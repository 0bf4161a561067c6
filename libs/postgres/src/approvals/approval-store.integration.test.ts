import {
  newStandingId,
  deniedFor,
  NOT_ALLOWED,
  type ApprovalStatus,
  scopeOfAgent,
  type NewExecution,
  type ToolScope,
} from "@bulkhead/core";
import { beforeAll, expect, test } from "vitest";
import { ALL_TOOLS, attemptOf, LEASE_MS, sampleExecution, sampleTool, stored } from "../fixtures/samples.ts";
import { database, useStores } from "../fixtures/stores.ts";

useStores();

let tenantId: string;
let toolId: string;

beforeAll(async () => {
  ({ tenantId, toolId } = await stored(database));
});

const TIMEOUT_MS = 60_000;
const BY = { answer: "allow_once", by: "key_1" } as const;
const ALWAYS = { answer: "allow_always", by: "key_1" } as const;

/** Inserts one that waits, for so many milliseconds. */
async function waiting(waitMs = 120_000, fields: Partial<NewExecution> = {}): Promise<NewExecution> {
  const deadlineAt = new Date(Date.now() + waitMs);
  const approval = { timeoutMs: TIMEOUT_MS, expiresAt: deadlineAt.toISOString() };
  const execution = sampleExecution(tenantId, { toolId, deadlineAt, approval, ...fields });
  await database.executions.insert(execution);
  return execution;
}

const { allow, find, countWaiting, standingOf } = {
  allow: (key: NewExecution, answer: typeof BY | typeof ALWAYS = BY, pattern?: string, max = 10) =>
    database.approvals.allow(
      key,
      answer,
      answer === BY
        ? null
        : {
            standingId: newStandingId(),
            pattern: pattern === undefined ? null : { argument: "/text", pattern },
          },
      max,
    ),
  find: (key: NewExecution) => database.approvals.find(key),
  countWaiting: (max: number) => database.approvals.countWaiting(tenantId, max),
  standingOf: (version = 1) => database.approvals.standingOf(tenantId, toolId, version),
};

test("what waits is neither queued nor claimed, is listed and counted, and its sweep leaves it alone", async () => {
  const execution = await waiting();
  const before = await countWaiting(100);
  expect(await database.executions.claim(attemptOf(execution), "worker", LEASE_MS)).toBeNull();
  const queued = await database.executions.listQueued(0, null, 100);
  expect(queued.map(({ executionId }) => executionId)).not.toContain(execution.executionId);
  expect(await database.executions.expireOverdue(100)).toEqual([]);
  const [listed] = await database.approvals.list(tenantId, { statuses: ["waiting"], limit: 1 });
  expect(listed).toMatchObject({ executionId: execution.executionId, status: "waiting", answer: null });
  expect(listed?.arguments).toEqual({ text: "hello" });
  await waiting();
  expect(await countWaiting(100)).toBe(before + 1);
  expect(await countWaiting(1)).toBe(1);
});

test("of ten who allow and deny at once one wins, and what it said is on the row", async () => {
  const execution = await waiting();
  const deny = () =>
    database.executions.endFromOutside(execution, {
      status: "denied",
      error: NOT_ALLOWED.deny,
      answer: { answer: "deny", by: "key_2" },
    });
  const said = await Promise.all(
    Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? allow(execution) : deny())),
  );
  expect(said.filter((answer) => answer !== null)).toHaveLength(1);
  const approval = await find(execution);
  expect(["allowed", "denied"]).toContain(approval?.status);
  expect(approval?.answer?.by).toBe(approval?.status === "allowed" ? "key_1" : "key_2");
});

test("what a person wrote is what runs, and what was asked for stays on record, to the letter", async () => {
  const asked = { b: 1, a: "\u0000" };
  const execution = await waiting(120_000, { arguments: asked });
  const changed = { z: "\u0000", a: 2 };
  const answer = { answer: "allow_once", by: "key_1", arguments: changed } as const;
  expect(await database.approvals.allow(execution, answer, null, 10)).not.toBeNull();
  const row = await database.executions.find(execution);
  expect(JSON.stringify(row?.arguments)).toBe(JSON.stringify(changed));
  expect(JSON.stringify(row?.approval?.answer?.askedArguments)).toBe(JSON.stringify(asked));
  expect((await find(execution))?.answer).toMatchObject({ answer: "allow_once", askedArguments: asked });
});

test("a run is told whether a person has allowed it", async () => {
  const [allowed, unasked] = [await waiting(), sampleExecution(tenantId, { toolId })];
  await allow(allowed);
  await database.executions.insert(unasked);
  for (const [execution, isAllowed] of [
    [allowed, true],
    [unasked, false],
  ] as const)
    expect(await database.executions.look(attemptOf(execution))).toMatchObject({ isAllowed });
});

test("a denial's reason is on record", async () => {
  const execution = await waiting();
  const ended = await database.executions.endFromOutside(execution, {
    status: "denied",
    error: deniedFor("no"),
    answer: { answer: "deny", by: "key_2", reason: "no" },
  });
  expect(ended?.approval?.answer).toMatchObject({ answer: "deny", by: "key_2", reason: "no" });
  expect(ended?.approval?.answer).not.toHaveProperty("askedArguments");
});

test("its time begins with the answer, or with the end of its delay, and a replay has the time that was asked for", async () => {
  for (const delayMs of [0, 3_600_000]) {
    const execution = await waiting(120_000, { delayMs });
    const admission = await allow(execution);
    expect(admission).toMatchObject({ attempt: 1, tool: null });
    expect(Math.abs((admission?.delayMs ?? 0) - delayMs)).toBeLessThan(60_000);
    const row = await database.executions.find(execution);
    expect(row?.status).toBe("queued");
    expect((row?.deadlineAt.getTime() ?? 0) - (row?.notBefore?.getTime() ?? 0)).toBe(TIMEOUT_MS);
    expect((await database.executions.findReplayable(execution))?.timeoutMs).toBe(TIMEOUT_MS);
  }
});

test("what nobody allowed in time can't be allowed, is not listed, and is swept as denied without a use", async () => {
  const execution = await waiting(-1);
  expect(await allow(execution)).toBeNull();
  const listed = await database.approvals.list(tenantId, { statuses: ["waiting"], limit: 100 });
  expect(listed.map(({ executionId }) => executionId)).not.toContain(execution.executionId);
  expect((await find(execution))?.status).toBe("expired");
  const [ended] = await database.executions.expireOverdue(10);
  expect(ended).toMatchObject({
    executionId: execution.executionId,
    status: "denied",
    error: NOT_ALLOWED.expire,
    endEventId: "1-2",
    approval: { answer: { answer: "expire", by: null } },
  });
  expect((await database.tools.find(tenantId, toolId, ALL_TOOLS))?.usageCount).toBe(0);
});

test("calls are listed by how they stand, whether they wait, were answered or not", async () => {
  const [open, allowed, denied, late, over] = [
    await waiting(),
    await waiting(),
    await waiting(),
    await waiting(-1),
    await waiting(),
  ];
  await allow(allowed);
  const answer = { answer: "deny", by: "key_1" } as const;
  await database.executions.endFromOutside(denied, { status: "denied", error: NOT_ALLOWED.deny, answer });
  const error = { code: "execution.cancelled", message: "" } as const;
  await database.executions.endFromOutside(over, { status: "cancelled", error });
  const made = [open, allowed, denied, late, over].map(({ executionId }) => executionId);
  const list = async (...statuses: ApprovalStatus[]) =>
    (await database.approvals.list(tenantId, { statuses, limit: 100 }))
      .filter(({ executionId }) => made.includes(executionId))
      .map(({ executionId, status }) => [executionId, status]);
  expect(await list("waiting")).toEqual([[open.executionId, "waiting"]]);
  expect(await list("denied")).toEqual([[denied.executionId, "denied"]]);
  expect(await list("expired", "cancelled")).toEqual([
    [over.executionId, "cancelled"],
    [late.executionId, "expired"],
  ]);
  expect(await list("allowed")).toEqual([[allowed.executionId, "allowed"]]);
});

test("uses of standing approvals are added up, of one that is gone too", async () => {
  await allow(await waiting(), ALWAYS, "counted");
  const standing = async () =>
    (await database.approvals.listStanding(tenantId, { scope: ALL_TOOLS, limit: 100 })).find(
      ({ pattern }) => pattern?.pattern === "counted",
    );
  const { standingId, uses, lastUsedAt } = (await standing())!;
  expect([uses, lastUsedAt]).toEqual([0, null]);
  const used = (count: number, at: Date) =>
    database.approvals.countStandingUses(
      new Map([
        [standingId, { count, at }],
        ["sta_gone", { count, at }],
      ]),
    );
  await used(3, new Date(2_000));
  await used(2, new Date(1_000));
  expect(await standing()).toMatchObject({ uses: 5, lastUsedAt: new Date(2_000) });
  await database.approvals.deleteStanding(tenantId, standingId);
});

test("allowing always is remembered once for a version and a pattern, within a bound, or not allowed at all", async () => {
  await allow(await waiting(), ALWAYS, "h*");
  await allow(await waiting(), ALWAYS, "h*");
  expect(await standingOf()).toEqual([
    { standingId: expect.any(String), pattern: { argument: "/text", pattern: "h*" } },
  ]);
  expect(await standingOf(2)).toEqual([]);
  const refused = await waiting();
  await expect(allow(refused, ALWAYS, undefined, 1)).rejects.toMatchObject({
    code: "approval.too_many_standing",
  });
  expect((await find(refused))?.status).toBe("waiting");
  await allow(refused, ALWAYS);
  expect(await standingOf()).toHaveLength(2);
  const page = await database.approvals.listStanding(tenantId, { scope: ALL_TOOLS, limit: 1 });
  const [newest] = page;
  expect(newest).toMatchObject({ toolId, toolVersion: 1, pattern: null, createdBy: "key_1" });
  const rest = await database.approvals.listStanding(tenantId, {
    scope: ALL_TOOLS,
    before: newest?.standingId ?? "",
    limit: 5,
  });
  expect(rest.map(({ pattern }) => pattern?.pattern)).toEqual(["h*"]);
  expect(await database.approvals.deleteStanding("ten_0", newest?.standingId ?? "")).toBe(false);
  expect(await database.approvals.deleteStanding(tenantId, newest?.standingId ?? "")).toBe(true);
});

test("what was allowed for good of an agent's tool is listed where the tool is there", async () => {
  const { id } = await database.tools.create(sampleTool(tenantId, { agentId: "one" }));
  await allow(await waiting(60_000, { toolId: id }), ALWAYS);
  const listed = async (scope: ToolScope, before?: string) => {
    const page = { scope, limit: 100, ...(before === undefined ? {} : { before }) };
    return database.approvals.listStanding(tenantId, page);
  };
  const [newest] = await listed(ALL_TOOLS);
  expect(newest?.toolId).toBe(id);
  expect(await listed(scopeOfAgent("one"))).toEqual(await listed(ALL_TOOLS));
  for (const scope of [scopeOfAgent("two"), scopeOfAgent(null)]) {
    expect((await listed(scope)).map((one) => one.toolId)).not.toContain(id);
    expect(await listed(scope, newest?.standingId)).toEqual([]);
  }
});

test("another tenant finds and allows nothing", async () => {
  const execution = { ...(await waiting()), tenantId: "ten_0000000000000000" };
  expect(await find(execution)).toBeNull();
  expect(await allow(execution)).toBeNull();
});

test("a batch under keys may hold both kinds", async () => {
  const deadlineAt = new Date(Date.now() + 60_000);
  const approval = { timeoutMs: TIMEOUT_MS, expiresAt: deadlineAt.toISOString() };
  const both = [sampleExecution(tenantId), sampleExecution(tenantId, { toolId, approval, deadlineAt })];
  await database.executions.insertOnce(
    both.map((execution, n) => ({ execution, once: { key: `both#${n}`, bodyHash: "b" } })),
  );
  const rows = await Promise.all(both.map((key) => database.executions.find(key)));
  expect(rows.map((row) => row?.status)).toEqual(["queued", "awaiting_approval"]);
});
