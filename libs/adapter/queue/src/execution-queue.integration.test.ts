import { newExecutionId, newTenantId, type AttemptKey } from "@bulkhead/domain";
import { leakCheck, openTestRedis, until, type TestRedis } from "@bulkhead/testing";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { attemptName } from "./attempt-name.ts";
import { openExecutionQueue, type OpenedExecutionQueue } from "./execution-queue.ts";

leakCheck();

let server: TestRedis;
let redis: Redis;
let queue: OpenedExecutionQueue;
let tenantId: string;

beforeAll(async () => {
  server = await openTestRedis();
  redis = new Redis(server.url);
  redis.on("error", () => undefined);
});
afterAll(async () => {
  redis.disconnect();
  await server.close();
});
beforeEach(async () => {
  await redis.flushall();
  tenantId = newTenantId();
  queue = await open();
});
afterEach(() => queue.close());

const open = (leases: { handedOutLeaseMs?: number; runningLeaseMs?: number } = {}) =>
  openExecutionQueue({ redisUrl: server.url, onError: () => undefined, ...leases });
const newAttempt = (tenant = tenantId): AttemptKey => ({
  tenantId: tenant,
  executionId: newExecutionId(new Date()),
  attempt: 1,
});
/** What a worker would be given, first to last. */
const ready = async (): Promise<string[]> => (await redis.lrange("{bh:0}:ready:wait", 0, -1)).toReversed();
const slots = (tenant = tenantId): Promise<number> => redis.zcard(`{bh:0}:inflight:${tenant}`);

test("a tenant's attempts are handed out up to its cap, the rest in the order of their arrival", async () => {
  const attempts = Array.from({ length: 6 }, () => newAttempt());
  for (const attempt of attempts) await queue.admit(attempt, 2);
  expect(await ready()).toEqual(attempts.slice(0, 2).map(attemptName));
  for (const attempt of attempts) await queue.release(attempt);
  // Each was handed out exactly once, and what is released before a worker took it is handed out no more.
  expect(await ready()).toEqual([]);
  expect(await redis.keys("{bh:0}:ready:exe_*")).toEqual([]);
  expect(await slots()).toBe(0);
});

test("a released slot goes to the one who waits longest", async () => {
  const [a, b, c] = [newAttempt(), newAttempt(), newAttempt()];
  for (const attempt of [a, b, c]) await queue.admit(attempt, 1);
  await queue.release(a);
  expect(await ready()).toEqual([attemptName(b)]);
  await queue.release(b);
  expect(await ready()).toEqual([attemptName(c)]);
});

test("nobody overtakes a backlog, even when a slot is free", async () => {
  const [a, b, c] = [newAttempt(), newAttempt(), newAttempt()];
  await queue.admit(a, 1);
  await queue.admit(b, 1);
  await queue.admit(c, 2);
  expect(await ready()).toEqual([a, b].map(attemptName));
});

test("one tenant's backlog does not stop another", async () => {
  for (let n = 0; n < 5; n++) await queue.admit(newAttempt(), 1);
  const other = newAttempt(newTenantId());
  await queue.admit(other, 1);
  expect(await ready()).toContain(attemptName(other));
});

test("repeating an admit changes nothing, for one that was handed out and for one that waits", async () => {
  const [a, b, c] = [newAttempt(), newAttempt(), newAttempt()];
  for (const attempt of [a, b, c, b, a, b]) await queue.admit(attempt, 1);
  expect(await ready()).toEqual([attemptName(a)]);
  await queue.release(a);
  await queue.release(a);
  expect(await ready()).toEqual([attemptName(b)]);
  expect(await slots()).toBe(1);
});

test("a null limit stands for the one last given", async () => {
  const attempts = [newAttempt(), newAttempt(), newAttempt()];
  await queue.admit(attempts[0]!, 2);
  await queue.admit(attempts[1]!, null);
  await queue.admit(attempts[2]!, null);
  expect(await ready()).toEqual(attempts.slice(0, 2).map(attemptName));
});

test("the second attempt of an execution is not taken for the first", async () => {
  const first = newAttempt();
  const second = { ...first, attempt: 2 };
  await queue.admit(first, 5);
  await queue.admit(second, 5);
  expect(await ready()).toEqual([first, second].map(attemptName));
});

test("an attempt that was given a slot but never handed out is missing, and admitting it again heals it", async () => {
  const [lost, handedOut, waiting] = [newAttempt(), newAttempt(), newAttempt()];
  for (const attempt of [lost, handedOut, waiting]) await queue.admit(attempt, 2);
  // As if the process had died between the step and BullMQ's add.
  await redis.lrem("{bh:0}:ready:wait", 0, attemptName(lost));
  await redis.del(`{bh:0}:ready:${attemptName(lost)}`);
  expect(await queue.missing([lost, handedOut, waiting])).toEqual([lost]);
  await queue.admit(lost, 2);
  expect(await queue.missing([lost, handedOut, waiting])).toEqual([]);
  expect(await ready()).toContain(attemptName(lost));
  expect(await slots()).toBe(2);
});

test("after Redis was emptied everything is missing, and can be admitted again", async () => {
  const attempts = Array.from({ length: 250 }, () => newAttempt());
  await Promise.all(attempts.map((attempt) => queue.admit(attempt, 10)));
  expect(await queue.missing(attempts)).toEqual([]);
  await server.restartEmpty();
  await until(async () => (await queue.missing(attempts)).length === 250, { what: "all are missing" });
  await Promise.all(attempts.map((attempt) => queue.admit(attempt, 10)));
  expect(await queue.missing(attempts)).toEqual([]);
  expect(await slots()).toBe(10);
});

test("an expired lease frees its slot for the backlog", async () => {
  const shortLived = await open({ handedOutLeaseMs: 1 });
  const [a, b] = [newAttempt(), newAttempt()];
  await shortLived.admit(a, 1);
  await shortLived.close();
  await until(async () => (await redis.zrangebyscore("{bh:0}:leases", "-inf", Date.now() - 1)).length === 1, {
    what: "the lease ran out",
  });
  await queue.admit(b, 1);
  expect(await ready()).toContain(attemptName(b));
  expect(await queue.reap()).toBe(1);
  expect(await queue.reap()).toBe(0);
});

test("the reap frees expired slots and hands out what waited for them", async () => {
  const shortLived = await open({ handedOutLeaseMs: 300 });
  const [a, b] = [newAttempt(), newAttempt()];
  await shortLived.admit(a, 1);
  await shortLived.admit(b, 1);
  await shortLived.close();
  expect(await ready()).toEqual([attemptName(a)]);
  let freed = 0;
  await until(async () => (freed += await queue.reap()) > 0, { what: "the reap finds the expired lease" });
  expect(freed).toBe(1);
  expect(await ready()).toEqual([a, b].map(attemptName));
  expect(await slots()).toBe(1);
});

test("a renewed slot stays taken", async () => {
  const shortLived = await open({ handedOutLeaseMs: 1, runningLeaseMs: 60_000 });
  const [a, b] = [newAttempt(), newAttempt()];
  await shortLived.admit(a, 1);
  await shortLived.renew([a]);
  await shortLived.admit(b, 1);
  expect(await shortLived.reap()).toBe(0);
  expect(await ready()).toEqual([attemptName(a)]);
  await shortLived.close();
});

test("what runs is counted again after Redis was emptied", async () => {
  const [running, next] = [newAttempt(), newAttempt()];
  await queue.admit(running, 1);
  await redis.flushall();
  await queue.renew([running]);
  await queue.admit(next, 1);
  expect(await ready()).toEqual([]);
  await queue.release(running);
  expect(await ready()).toEqual([attemptName(next)]);
});

test("a heartbeat that is older than a release does not take the slot back", async () => {
  const [ended, next] = [newAttempt(), newAttempt()];
  await queue.admit(ended, 1);
  await queue.admit(next, 1);
  await queue.release(ended);
  await queue.renew([ended]);
  await queue.release(next);
  expect(await slots()).toBe(0);
});

test("hundreds of expired leases are freed by one reap", async () => {
  const shortLived = await open({ handedOutLeaseMs: 1 });
  await Promise.all(Array.from({ length: 1_200 }, () => shortLived.admit(newAttempt(newTenantId()), 1)));
  await shortLived.close();
  await until(async () => (await redis.zcount("{bh:0}:leases", "-inf", Date.now() - 1)) === 1_200, {
    what: "all leases ran out",
  });
  expect(await queue.reap()).toBe(1_200);
  expect(await redis.keys("{bh:0}:inflight:*")).toEqual([]);
});

test("while Redis is away every call fails with service.unavailable, and works again afterwards", async () => {
  await server.kill();
  const attempt = newAttempt();
  const calls = [queue.admit(attempt, 1), queue.release(attempt), queue.reap(), queue.missing([attempt])];
  for (const outcome of await Promise.allSettled(calls)) {
    expect(outcome).toMatchObject({ status: "rejected", reason: { code: "service.unavailable" } });
  }
  await server.restartEmpty();
  await until(() => queue.admit(attempt, 1).then(() => true), { what: "admitting works again" });
  expect(await queue.missing([attempt])).toEqual([]);
});

test("closing leaves no connection", async () => {
  const another = await open();
  await another.close();
  await queue.close();
  await until(async () => !String(await redis.client("LIST")).includes("bulkhead"), {
    what: "Redis has no connection of ours",
  });
});

test("a release that Redis refused is made up for by the reap", async () => {
  const [first, second] = [newAttempt(), newAttempt()];
  await queue.admit(first, 1);
  await queue.admit(second, 1);
  await redis.acl("SETUSER", "default", "-evalsha", "-eval");
  await expect(queue.release(first)).rejects.toThrow("queue failed");
  await redis.acl("SETUSER", "default", "+evalsha", "+eval");
  expect(await redis.zrange(`{bh:0}:inflight:${tenantId}`, "0", "-1")).toEqual([attemptName(first)]);
  expect(await queue.reap()).toBe(1);
  expect(await redis.zrange(`{bh:0}:inflight:${tenantId}`, "0", "-1")).toEqual([attemptName(second)]);
});
