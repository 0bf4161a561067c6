import { expect, test } from "vitest";
import {
  ALL_TOOLS,
  attemptOf,
  LEASE_MS,
  sampleExecution,
  started,
  stored,
  SUCCESS,
} from "../fixtures/samples.ts";
import { database, useStores } from "../fixtures/stores.ts";

useStores();

const ASKING = { because: "failed", message: "no answer" } as const;
const WAIT_MS = 120_000;

/** An execution whose tool's own code is to be asked, in its first attempt. */
async function asked(timeoutMs = 60_000) {
  const { tenantId, toolId } = await stored(database);
  const createdAt = new Date();
  const deadlineAt = new Date(createdAt.getTime() + timeoutMs);
  const execution = sampleExecution(tenantId, { toolId, toolDecides: true, createdAt, deadlineAt });
  const first = await started(database, execution);
  return { first, toolId, tenantId };
}
const awaitPerson = (key: Parameters<typeof database.executions.awaitPerson>[0]) =>
  database.executions.awaitPerson(key, { asking: ASKING, askedEventId: "1-7" }, SUCCESS.usage, WAIT_MS);

test("the first attempt is told that the tool decides, and so is who only looks", async () => {
  const { tenantId, toolId } = await stored(database);
  const execution = sampleExecution(tenantId, { toolId, toolDecides: true });
  const plain = sampleExecution(tenantId, { toolId });
  await database.executions.insertBatch([execution, plain]);
  expect(await database.executions.look(attemptOf(execution))).toMatchObject({ toolDecides: true });
  expect(await database.executions.claim(attemptOf(execution), "w", LEASE_MS)).toMatchObject({
    toolDecides: true,
  });
  expect(await database.executions.claim(attemptOf(plain), "w", LEASE_MS)).toMatchObject({
    toolDecides: false,
  });
});

test("an attempt that asks a person is over, and its execution waits as any that was asked about", async () => {
  const { first, tenantId, toolId } = await asked();
  const expiresAt = await awaitPerson(first);
  const found = await database.executions.find(first);
  expect(found).toMatchObject({
    status: "awaiting_approval",
    attempt: 1,
    startedAt: null,
    approval: { expiresAt, asking: ASKING, askedEventId: "1-7", timeoutMs: 60_000, answer: null },
  });
  expect(found?.deadlineAt.toISOString()).toBe(expiresAt);
  expect(await database.executions.listAttempts(first)).toMatchObject([
    { attempt: 1, outcome: "asked", usage: SUCCESS.usage, error: null },
  ]);
  expect(await database.approvals.find(first)).toMatchObject({
    status: "waiting",
    asking: ASKING,
    askedEventId: "1-7",
  });
  expect(await database.approvals.countWaiting(tenantId, 10)).toBe(1);
  expect(await database.tools.find(tenantId, toolId, ALL_TOOLS)).toMatchObject({ usageCount: 0 });
});

test("allowed, it runs as its next attempt, whose tool is asked no more", async () => {
  const { first, tenantId, toolId } = await asked();
  await awaitPerson(first);
  const answer = { answer: "allow_once", by: "key_1" } as const;
  expect(await database.approvals.allow(first, answer, null, 1)).toMatchObject({ attempt: 2 });
  const second = attemptOf(first, 2);
  // Nothing failed so far: the pause before another try does not grow by a person's answer.
  expect(await database.executions.claim(second, "w", LEASE_MS)).toMatchObject({
    toolDecides: false,
    failures: 0,
  });
  expect(await awaitPerson(second)).toBeNull();
  expect(await database.executions.finish(second, SUCCESS, "2-3")).toMatchObject({
    status: "succeeded",
    approval: { asking: ASKING, answer: { answer: "allow_once" } },
  });
  expect(await database.tools.find(tenantId, toolId, ALL_TOOLS)).toMatchObject({ usageCount: 1 });
});

test("who does not hold the attempt asks nobody, and neither does who has had an effect", async () => {
  const { first } = await asked();
  expect(await awaitPerson({ ...first, attempt: 2 })).toBeNull();
  expect(await awaitPerson({ ...first, tenantId: "ten_other" })).toBeNull();
  await database.executions.markEffect(first, LEASE_MS);
  expect(await awaitPerson(first)).toBeNull();
  expect(await database.executions.find(first)).toMatchObject({ status: "running", approval: null });
});

test("a cancelled wait is told apart from its attempt, and its reason goes with the arguments", async () => {
  const { first, tenantId, toolId } = await asked();
  await awaitPerson(first);
  const ended = await database.executions.endFromOutside(first, { status: "cancelled", error: null });
  expect(ended).toMatchObject({ status: "cancelled", endEventId: "2-2", startedAt: null });
  expect(await database.tools.find(tenantId, toolId, ALL_TOOLS)).toMatchObject({ usageCount: 0 });
  await database.erasures.erase([{ ...first, part: "arguments" }]);
  const erased = await database.executions.find(first);
  expect(erased?.approval?.asking).toEqual({ because: "failed", message: "" });
});
