import type { Rate, RateKey, Taken } from "@bulkhead/core";
import { leakCheck, openTestRedis, until, type TestRedis } from "@bulkhead/testing";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  CHANGE_MARK_TTL_MS,
  changeMarkName,
  openRateLimiter,
  rateKeyName,
  STEP_SIZE_MAX,
  type OpenedRateLimiter,
} from "./rate-limiter.ts";

leakCheck();

/** Nothing comes back while a test runs. */
const SLOW: Rate = { count: 1, perMs: 3_600_000, burst: 5 };
const KEY: RateKey = { tenantId: "ten_0000000000000001", name: "requests" };

let server: TestRedis;
let redis: Redis;
let limiters: [OpenedRateLimiter, OpenedRateLimiter];

const open = () => openRateLimiter({ redisUrl: server.url, onError: () => undefined });
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
  limiters = [await open(), await open()];
});
afterEach(() => Promise.all(limiters.map((limiter) => limiter.close())));

const take = (n = 1, rate = SLOW, key = KEY): Promise<Taken> => limiters[0].take(key, rate, n);
/** Redis's clock, in milliseconds. */
async function now(): Promise<number> {
  const [seconds, micros] = await redis.time();
  return Number(seconds) * 1_000 + Number(micros) / 1_000;
}

/** Pays off the takes of `KEY` so much sooner, as if that time had passed; milliseconds. */
const pass = async (ms: number): Promise<unknown> =>
  redis.set(rateKeyName(KEY), Number(await redis.get(rateKeyName(KEY))) - ms * 1_000);

describe("one rate", () => {
  test("a burst is allowed, then nothing, and each answer tells what is left", async () => {
    const left: number[] = [];
    for (let i = 0; i < 5; i++) {
      const taken = await take();
      expect(taken).toMatchObject({ allowed: true, limit: 5, retryAfterMs: 0 });
      left.push(taken.remaining);
    }
    expect(left).toEqual([4, 3, 2, 1, 0]);
    const refused = await take();
    expect(refused).toMatchObject({ allowed: false, limit: 5, remaining: 0 });
    expect(refused.retryAfterMs).toBe(refused.resetMs);
    expect(refused.resetMs).toBeGreaterThan(3_500_000);
    expect(refused.resetMs).toBeLessThanOrEqual(3_600_000);
  });

  test("several are taken together or not at all, and a refusal takes nothing", async () => {
    expect(await take(3)).toMatchObject({ allowed: true, remaining: 2 });
    expect(await take(3)).toMatchObject({ allowed: false, remaining: 2 });
    expect(await take(2)).toMatchObject({ allowed: true, remaining: 0 });
  });

  test("more than the burst can never be had, and that is told", async () => {
    expect(await take(6)).toMatchObject({ allowed: false, remaining: 5, resetMs: 0, retryAfterMs: null });
  });

  test("what was refused is allowed once the told time is over", async () => {
    const rate = { ...SLOW, burst: 1 };
    await take(1, rate);
    const { allowed, retryAfterMs } = await take(1, rate);
    expect(allowed).toBe(false);
    await pass(Number(retryAfterMs) - 60_000);
    expect((await take(1, rate)).allowed).toBe(false);
    await pass(60_000);
    expect((await take(1, rate)).allowed).toBe(true);
  });

  test("a changed rate holds from the next take on, and locks nobody out for longer than a full burst takes", async () => {
    await take(5);
    const fast = { count: 1_000, perMs: 1_000, burst: 2 };
    const { retryAfterMs } = await take(1, fast);
    expect(retryAfterMs).toBeLessThanOrEqual(2);
    expect(await take(1, { ...fast, burst: 1_000 })).toMatchObject({ allowed: true, limit: 1_000 });
  });

  test("a clock that was set back locks nobody out", async () => {
    await redis.set(rateKeyName(KEY), String(Number.MAX_SAFE_INTEGER));
    const rate = { count: 100, perMs: 1_000, burst: 1 };
    await until(async () => (await take(1, rate)).allowed, { what: "a take is allowed" });
  });
});

describe("many callers", () => {
  test("under 500 parallel takes over two connections no window holds more than rate × t + burst", async () => {
    const rate = { count: 400, perMs: 1_000, burst: 40 };
    const rounds: { from: number; to: number; taken: number }[] = [];
    for (let round = 0; round < 60; round++) {
      const from = await now();
      const all = await Promise.all(
        Array.from({ length: 500 }, (_, i) => limiters[i % 2 === 0 ? 0 : 1].take(KEY, rate, 1)),
      );
      rounds.push({ from, to: await now(), taken: all.filter(({ allowed }) => allowed).length });
    }
    expect(rounds[0]?.taken).toBeGreaterThanOrEqual(rate.burst);
    for (const [first, { from }] of rounds.entries()) {
      let taken = 0;
      for (const round of rounds.slice(first)) {
        taken += round.taken;
        expect(taken).toBeLessThanOrEqual(((round.to - from) * rate.count) / rate.perMs + rate.burst);
      }
    }
  });

  test("over the bound exactly the burst is taken, however many ask at once", async () => {
    const all = await Promise.all(Array.from({ length: 3 * STEP_SIZE_MAX }, () => take()));
    expect(all.filter(({ allowed }) => allowed)).toHaveLength(SLOW.burst);
  });

  test("each gets the answer to its own question, with other names, rates and tenants in the same turn", async () => {
    const other = { ...KEY, tenantId: "ten_0000000000000002" };
    const [none, one, session, theirs] = await Promise.all([
      take(6),
      take(1),
      take(2, { ...SLOW, burst: 3 }, { ...KEY, name: "session:a" }),
      take(5, SLOW, other),
    ]);
    expect(none).toMatchObject({ allowed: false, retryAfterMs: null });
    expect(one).toMatchObject({ allowed: true, remaining: 4 });
    expect(session).toMatchObject({ allowed: true, limit: 3, remaining: 1 });
    expect(theirs).toMatchObject({ allowed: true, remaining: 0 });
  });

  test("the calls of one turn cost one step for each tenant", async () => {
    await take();
    await redis.config("RESETSTAT");
    await Promise.all(Array.from({ length: 50 }, () => take()));
    const stats = await redis.info("commandstats");
    expect(/cmdstat_evalsha:calls=(\d+)/u.exec(stats)?.[1]).toBe("1");
  });
});

describe("a tenant's change", () => {
  const markOf = async (tenantId = KEY.tenantId) => (await take(1, SLOW, { ...KEY, tenantId })).changeMark;

  test("is told by every take after it, as one that was never told before", async () => {
    expect(await markOf()).toBeNull();
    await limiters[1].markChange(KEY.tenantId);
    const first = await markOf();
    expect(first).toEqual(expect.any(String));
    expect(await markOf()).toBe(first);
    await limiters[0].markChange(KEY.tenantId);
    expect([null, first]).not.toContain(await markOf());
  });

  test("is told to those whom the rate refuses, and to no other tenant", async () => {
    await limiters[1].markChange(KEY.tenantId);
    expect(await take(6)).toMatchObject({ allowed: false, changeMark: expect.any(String) });
    expect(await markOf("ten_0000000000000002")).toBeNull();
  });

  test("is told for a minute, and can't be marked without Redis", async () => {
    await limiters[0].markChange(KEY.tenantId);
    const ttl = await redis.pttl(changeMarkName(KEY.tenantId));
    expect(ttl).toBeGreaterThan(CHANGE_MARK_TTL_MS - 10_000);
    expect(ttl).toBeLessThanOrEqual(CHANGE_MARK_TTL_MS);
    await server.kill();
    await expect(limiters[0].markChange(KEY.tenantId)).rejects.toMatchObject({ code: "service.unavailable" });
    await server.restartEmpty();
    await until(() => redis.ping().catch(() => null), { what: "Redis is back" });
  });
});

test("every key expires, and carries its tenant's hash tag", async () => {
  await Promise.all([take(), take(1, SLOW, { ...KEY, name: "session:a" })]);
  const keys = await redis.keys("*");
  expect(keys.toSorted()).toEqual([
    `bh:rate:{${KEY.tenantId}}:requests`,
    `bh:rate:{${KEY.tenantId}}:session:a`,
  ]);
  for (const key of keys) {
    const ttl = await redis.pttl(key);
    expect(ttl).toBeGreaterThan(0);
    expect(ttl).toBeLessThanOrEqual(3_602_000);
  }
});

test("a script that Redis has forgotten is sent again", async () => {
  await take();
  await redis.script("FLUSH");
  expect(await take()).toMatchObject({ allowed: true, remaining: 3 });
});

test("without Redis a take is refused as unavailable with a time to wait, and works again afterwards", async () => {
  await server.kill();
  await expect(take()).rejects.toMatchObject({ code: "service.unavailable", retryAfterSeconds: 1 });
  await server.restartEmpty();
  await until(
    () =>
      take().then(
        ({ allowed }) => allowed,
        () => false,
      ),
    { what: "takes are allowed again" },
  );
});
