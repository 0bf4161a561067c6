import { attemptName, newTenantId, type AttemptKey } from "@bulkhead/core";
import { leakCheck, until } from "@bulkhead/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import {
  admission,
  admissions,
  DispatcherUnderTest,
  limited,
  namesOf,
} from "./fixtures/dispatcher-under-test.ts";

leakCheck();

let under: DispatcherUnderTest;
beforeAll(async () => void (under = await DispatcherUnderTest.open()));
afterAll(() => under.close());
beforeEach(() => under.begin());
afterEach(() => under.end());

const capOf = (maxConcurrentExecutions: number) => limited({ maxConcurrentExecutions });
const release = (attempt: AttemptKey) => under.queue.release(attempt, 10);

test("a tenant's attempts are handed out up to its cap, the rest in the order of their arrival", async () => {
  const attempts = admissions(6, { current: capOf(2) });
  for (const attempt of attempts) await under.queue.admit([attempt]);
  expect(await under.ready()).toEqual(namesOf(attempts.slice(0, 2)));
  for (const attempt of attempts) await release(attempt);
  // Each was handed out exactly once, and what is released before a worker took it is handed out no more.
  expect(await under.ready()).toEqual([]);
  expect(await under.redis.keys("{bh:0}:ready:exe_*")).toEqual([]);
  expect(await under.slots(attempts[0]!.tenantId)).toBe(0);
});

test("a released slot goes to the one who waits longest", async () => {
  const [a, b, c] = admissions(3, { current: capOf(1) });
  await under.queue.admit([a!, b!, c!]);
  await release(a!);
  expect(await under.ready()).toEqual(namesOf([b!]));
  await release(b!);
  expect(await under.ready()).toEqual(namesOf([c!]));
});

test("one tenant's backlog does not stop another", async () => {
  await under.queue.admit(admissions(5, { current: capOf(1) }));
  const other = admission(newTenantId());
  await under.queue.admit([other]);
  expect(await under.ready()).toContain(attemptName(other));
});

test("an attempt is handed out by the step that admits it where nothing waits", async () => {
  const attempt = admission(newTenantId());
  await under.queue.admit([attempt]);
  expect(await under.ready()).toEqual([attemptName(attempt)]);
});

test("repeating an admit changes nothing, for one that was handed out and for one that waits", async () => {
  const [a, b, c] = admissions(3, { current: capOf(1) });
  for (const attempt of [a, b, c, b, a, b]) await under.queue.admit([attempt!]);
  expect(await under.ready()).toEqual(namesOf([a!]));
  await release(a!);
  await release(a!);
  expect(await under.ready()).toEqual(namesOf([b!]));
  expect(await under.slots(a!.tenantId)).toBe(1);
});

test("the second attempt of an execution is not taken for the first", async () => {
  const first = admission(newTenantId());
  await under.queue.admit([first]);
  await under.queue.admit([{ ...first, attempt: 2 }]);
  expect(await under.ready()).toEqual(namesOf([first, { ...first, attempt: 2 }]));
});

test("an attempt that has a slot but no job in BullMQ is missing, and admitting it again heals it", async () => {
  const attempts = admissions(3, { current: capOf(2) });
  const lost = attempts[0]!;
  await under.queue.admit(attempts);
  // As if BullMQ had lost it, or a process of a version that handed out in two steps had died between them.
  await under.redis.lrem("{bh:0}:ready:wait", 0, attemptName(lost));
  await under.redis.del(`{bh:0}:ready:${attemptName(lost)}`);
  expect(namesOf(await under.queue.missing(attempts))).toEqual(namesOf([lost]));
  await under.queue.admit([lost]);
  expect(await under.queue.missing(attempts)).toEqual([]);
  expect(await under.ready()).toContain(attemptName(lost));
  expect(await under.slots(lost.tenantId)).toBe(2);
});

test("after Redis was emptied everything is missing, and can be admitted again", async () => {
  const tool = { id: "tool_0000000000000001", maxConcurrent: 1 };
  const attempts = [
    ...admissions(250, { current: capOf(10) }),
    ...admissions(5, { delayMs: 60_000 }),
    ...admissions(5, { tool }),
  ];
  await under.queue.admit(attempts);
  expect(await under.queue.missing(attempts)).toEqual([]);
  await under.server.restartEmpty();
  await until(async () => (await under.queue.missing(attempts)).length === 260, { what: "all are missing" });
  await until(() => under.announce(100).then(() => true), { what: "the worker announces itself again" });
  await under.queue.admit(attempts);
  expect(await under.queue.missing(attempts)).toEqual([]);
  expect(await under.slots(attempts[0]!.tenantId)).toBe(10);
});

test("an expired lease frees its slot for the backlog, and one reap tells of it", async () => {
  const shortLived = await under.another({ handedOutLeaseMs: 1 });
  const [a, b] = admissions(2, { current: capOf(1) });
  await shortLived.admit([a!]);
  await until(async () => (await under.redis.zcount("{bh:0}:leases", "-inf", Date.now() - 1)) === 1, {
    what: "the lease ran out",
  });
  await under.queue.admit([b!]);
  expect(await under.ready()).toContain(attemptName(b!));
  expect(await under.queue.reap()).toBe(1);
  expect(await under.queue.reap()).toBe(0);
});

test("one whose lease ran out is admitted anew", async () => {
  const shortLived = await under.another({ handedOutLeaseMs: 1 });
  const attempt = admission(newTenantId());
  await shortLived.admit([attempt]);
  await under.take();
  await until(async () => (await under.queue.reap()) === 1, { what: "the lease ran out" });
  await under.queue.admit([attempt]);
  expect(await under.ready()).toEqual([attemptName(attempt)]);
});

test("a tick hands out what waited for an expired lease", async () => {
  const shortLived = await under.another({ handedOutLeaseMs: 200 });
  const [a, b] = admissions(2, { current: capOf(1) });
  await shortLived.admit([a!, b!]);
  expect(await under.ready()).toEqual(namesOf([a!]));
  await until(() => under.queue.dispatch().then(async () => (await under.ready()).length === 2), {
    what: "the second is handed out",
  });
  expect(await under.slots(a!.tenantId)).toBe(1);
});

test("a renewed slot stays taken", async () => {
  const shortLived = await under.another({ handedOutLeaseMs: 1, runningLeaseMs: 60_000 });
  const [a, b] = admissions(2, { current: capOf(1) });
  await shortLived.admit([a!]);
  await shortLived.renew([a!]);
  await shortLived.admit([b!]);
  expect(await shortLived.reap()).toBe(0);
  expect(await under.ready()).toEqual(namesOf([a!]));
});

test("what runs is counted again after Redis was emptied", async () => {
  const [running, next] = admissions(2, { current: capOf(1) });
  await under.queue.admit([running!]);
  await under.redis.flushall();
  await under.announce(10);
  await under.queue.renew([running!]);
  await under.queue.admit([next!]);
  expect(await under.ready()).toEqual([]);
  await release(running!);
  expect(await under.ready()).toEqual(namesOf([next!]));
});

test("what runs and was queued again is not handed out after its heartbeat", async () => {
  const [first, running] = admissions(2, { current: capOf(1) });
  await under.queue.admit([first!, running!]);
  await under.queue.renew([running!]);
  await release(first!);
  expect(await under.slots(running!.tenantId)).toBe(1);
  await release(running!);
  expect(await under.ready()).toEqual([]);
});

test("a heartbeat that is older than a release does not take the slot back", async () => {
  const [ended, next] = admissions(2, { current: capOf(1) });
  await under.queue.admit([ended!, next!]);
  await release(ended!);
  await under.queue.renew([ended!]);
  await release(next!);
  expect(await under.slots(ended!.tenantId)).toBe(0);
});

test("hundreds of expired leases are freed by one reap", async () => {
  const shortLived = await under.another({ handedOutLeaseMs: 1 });
  await shortLived.admit(Array.from({ length: 900 }, () => admission(newTenantId())));
  await until(async () => (await under.redis.zcount("{bh:0}:leases", Date.now(), "+inf")) === 0, {
    what: "all leases ran out",
  });
  expect(await under.queue.reap()).toBe(900);
  expect(await under.redis.keys("{bh:0}:inflight:*")).toEqual([]);
});

test("while Redis is away every call fails with service.unavailable, and works again afterwards", async () => {
  await under.server.kill();
  const attempt = admission(newTenantId(), { current: capOf(1) });
  const { tenantId, executionId } = attempt;
  const wanted = { tenantId, executionIds: [executionId], current: capOf(1), timeoutMs: 1_000, priority: 4 };
  const { queue } = under;
  const calls = [
    queue.admit([attempt]),
    queue.release(attempt, null),
    queue.reap(),
    queue.missing([attempt]),
    queue.reserve(wanted),
    queue.dispatch(),
    queue.measure(),
    queue.setLimits(tenantId, capOf(2)),
    queue.renew([admission(newTenantId())]),
    queue.ping(),
  ];
  for (const outcome of await Promise.allSettled(calls)) {
    expect(outcome).toMatchObject({ status: "rejected", reason: { code: "service.unavailable" } });
  }
  await under.server.restartEmpty();
  await until(() => queue.ping().then(() => true), { what: "Redis is there again" });
  // The next command uses the connection that has just answered.
  await queue.admit([attempt]);
  expect(await queue.missing([attempt])).toEqual([]);
});

test("closing leaves no connection", async () => {
  await under.end();
  await until(async () => !String(await under.redis.client("LIST")).includes("bulkhead"), {
    what: "Redis has no connection of ours",
  });
});

test("a release that Redis refused is made up for by the reap", async () => {
  const [first, second] = admissions(2, { current: capOf(1) });
  const inflight = () => under.redis.zrange(`{bh:0}:inflight:${first!.tenantId}`, "0", "-1");
  await under.queue.admit([first!, second!]);
  await under.redis.acl("SETUSER", "default", "-evalsha", "-eval");
  await expect(release(first!)).rejects.toThrow("queue failed");
  await under.redis.acl("SETUSER", "default", "+evalsha", "+eval");
  expect(await inflight()).toEqual(namesOf([first!]));
  expect(await under.queue.reap()).toBe(1);
  expect(await inflight()).toEqual(namesOf([second!]));
});
