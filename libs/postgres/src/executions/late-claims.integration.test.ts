import { outsiderEndEventId, type NewExecution } from "@bulkhead/core";
import { expect, test } from "vitest";
import { attemptOf, LEASE_MS, sampleExecution, stored, SUCCESS } from "../fixtures/samples.ts";
import { one, other, useTwoStores } from "../fixtures/stores.ts";

useTwoStores();

const CLAIM = { workerId: "worker-1", ranMs: 40 };

async function inserted(fields: Partial<NewExecution> = {}): Promise<NewExecution> {
  const execution = sampleExecution("ten_a", fields);
  await one.executions.insert(execution);
  return execution;
}

test("a look answers what a claim would, and takes nothing", async () => {
  const { tenantId, toolId } = await stored(one);
  const execution = sampleExecution(tenantId, { toolId });
  await one.executions.insert(execution);
  const seen = await one.executions.look(attemptOf(execution));
  expect(seen).toMatchObject({ attempt: 1, toolId, toolStatus: "active", context: execution.context });
  expect(await one.executions.find(execution)).toMatchObject({
    status: "queued",
    attempt: 0,
    startedAt: null,
  });
  const claimed = await other.executions.claim(attemptOf(execution), "w", LEASE_MS);
  const still = { waitedMs: expect.any(Number), queuedMs: expect.any(Number) };
  expect(claimed).toEqual({ ...seen, ...still });
});

test("looks of many at once answer each its own, and null for what is not to be run", async () => {
  const batch = await Promise.all(Array.from({ length: 20 }, () => inserted()));
  const taken = batch[3] ?? batch[0];
  if (taken) await one.executions.claim(attemptOf(taken), "w", LEASE_MS);
  const seen = await Promise.all(batch.map((execution) => one.executions.look(attemptOf(execution))));
  expect(seen.map((each) => each?.executionId ?? null)).toEqual(
    batch.map((execution) => (execution === taken ? null : execution.executionId)),
  );
  const [first] = batch;
  if (!first) return;
  expect(await one.executions.look(attemptOf(first, 2))).toBeNull();
  expect(await one.executions.look({ ...attemptOf(first), tenantId: "ten_b" })).toBeNull();
});

test("an end with its claim starts the attempt when it began, and ends it", async () => {
  const { tenantId, toolId } = await stored(one);
  const execution = sampleExecution(tenantId, { toolId });
  await one.executions.insert(execution);
  const ended = await one.executions.finish(attemptOf(execution), SUCCESS, "1-3", CLAIM);
  expect(ended).toMatchObject({ status: "succeeded", attempt: 1, result: SUCCESS.result, endEventId: "1-3" });
  expect(await other.executions.find(execution)).toEqual(ended);
  const { startedAt, finishedAt } = ended ?? {};
  expect(Number(finishedAt) - Number(startedAt)).toBe(CLAIM.ranMs);
});

test("a claim in the midst of a run starts the attempt when it began", async () => {
  const execution = await inserted();
  await one.executions.claim(attemptOf(execution), "w", LEASE_MS, { ranMs: 5_000, mayBeMine: false });
  const { startedAt } = (await one.executions.find(execution)) ?? {};
  expect(Number(startedAt)).toBeLessThanOrEqual(execution.createdAt.getTime() - 3_000);
});

test("a claim that was made and not answered is answered to its worker when it asks again, and to no other", async () => {
  const execution = await inserted();
  const claim = (workerId: string, mayBeMine: boolean) =>
    one.executions.claim(attemptOf(execution), workerId, LEASE_MS, { ranMs: 0, mayBeMine });
  const first = await claim("worker-1", false);
  expect(await claim("worker-1", false)).toBeNull();
  expect(await claim("worker-2", true)).toBeNull();
  expect(await claim("worker-1", true)).toMatchObject({ executionId: first?.executionId, attempt: 1 });
  await one.executions.finish(attemptOf(execution), SUCCESS, "1-3");
  expect(await claim("worker-1", true)).toBeNull();
  const requeued = await inserted();
  await one.executions.claim(attemptOf(requeued), "worker-1", LEASE_MS);
  await one.executions.handBack(attemptOf(requeued));
  const again = { ranMs: 0, mayBeMine: true };
  expect(await one.executions.claim(attemptOf(requeued), "worker-1", LEASE_MS, again)).toBeNull();
});

test("a batch may hold ends with a claim and ends of what is held", async () => {
  const batch = await Promise.all(Array.from({ length: 10 }, () => inserted()));
  const isHeld = (place: number) => place % 2 === 0;
  const held = batch.filter((_execution, place) => isHeld(place));
  await Promise.all(held.map((execution) => one.executions.claim(attemptOf(execution), "w", LEASE_MS)));
  const ended = await Promise.all(
    batch.map((execution, place) =>
      one.executions.finish(attemptOf(execution), SUCCESS, "1-3", isHeld(place) ? null : CLAIM),
    ),
  );
  expect(ended.map((each) => [each?.executionId, each?.status, each?.attempt])).toEqual(
    batch.map(({ executionId }) => [executionId, "succeeded", 1]),
  );
});

test("of many that ran it, claimed by none, exactly one ends it; the others' ends are no answer to theirs", async () => {
  const execution = await inserted();
  const ends = Array.from({ length: 10 }, (_, n) =>
    (n % 2 ? one : other).executions.finish(attemptOf(execution), { ...SUCCESS, result: n }, "1-3", {
      ...CLAIM,
      workerId: `worker-${n}`,
    }),
  );
  const answers = await Promise.all(ends);
  const winner = answers.findIndex((ended) => ended !== null);
  expect(answers.filter((ended) => ended !== null)).toHaveLength(1);
  expect(await one.executions.find(execution)).toMatchObject({ result: winner, attempt: 1 });
});

test("who was not answered asks again and is answered the same", async () => {
  const execution = await inserted();
  const end = () => one.executions.finish(attemptOf(execution), SUCCESS, "1-3", CLAIM);
  const first = await end();
  expect(first).not.toBeNull();
  expect(await end()).toEqual(first);
  const others = { ...CLAIM, workerId: "worker-2" };
  expect(await other.executions.finish(attemptOf(execution), SUCCESS, "1-3", others)).toBeNull();
});

test("no end with a claim is written over what another has claimed, requeued or ended", async () => {
  const claimed = await inserted();
  await other.executions.claim(attemptOf(claimed), "worker-2", LEASE_MS);
  const requeued = await inserted();
  await other.executions.claim(attemptOf(requeued), "worker-2", LEASE_MS);
  await other.executions.handBack(attemptOf(requeued));
  const cancelled = await inserted();
  await other.executions.endFromOutside(cancelled, { status: "cancelled", error: null });
  for (const execution of [claimed, requeued, cancelled])
    expect(await one.executions.finish(attemptOf(execution), SUCCESS, "1-3", CLAIM)).toBeNull();
  const found = await Promise.all([claimed, requeued, cancelled].map((key) => one.executions.find(key)));
  expect(found.map((each) => [each?.status, each?.result, each?.endEventId])).toEqual([
    ["running", null, null],
    ["queued", null, null],
    ["cancelled", null, outsiderEndEventId(0)],
  ]);
});

test("who holds an attempt can't end another with it, and who holds none can't end without a claim", async () => {
  const execution = await inserted();
  expect(await one.executions.finish(attemptOf(execution), SUCCESS, "1-3")).toBeNull();
  expect(await one.executions.finish(attemptOf(execution, 2), SUCCESS, "2-3", CLAIM)).toBeNull();
  const foreign = { ...attemptOf(execution), tenantId: "ten_b" };
  expect(await one.executions.finish(foreign, SUCCESS, "1-3", CLAIM)).toBeNull();
  expect(await one.executions.find(execution)).toMatchObject({ status: "queued", attempt: 0 });
});
