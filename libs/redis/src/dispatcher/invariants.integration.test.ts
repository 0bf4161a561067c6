import { attemptName, newTenantId, type Admission, type AttemptKey } from "@bulkhead/core";
import { everyNth, isNightly, leakCheck, until } from "@bulkhead/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { admission, DispatcherUnderTest, limited } from "./fixtures/dispatcher-under-test.ts";

leakCheck();
// The tests make thousands of round trips to Redis, which are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

let under: DispatcherUnderTest;
beforeAll(async () => void (under = await DispatcherUnderTest.open()));
afterAll(() => under.close());
beforeEach(() => under.begin({ slots: 20 }));
afterEach(() => under.end());

const STEPS = isNightly ? 600 : 150;
const key = (kind: string, rest = ""): string => `{bh:0}:${kind}${rest}`;
const members = (kind: string, rest = "") => under.redis.zrange(key(kind, rest), "0", "-1");

/** A repeatable source of whole numbers below `n`. */
function dice(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

const CAPS = [1, 3, 8];
const limitsOf = (n: number, asOf = 1) =>
  limited(
    {
      maxConcurrentExecutions: CAPS[n % 3]!,
      executionsPerSecond: [100_000, 200][n % 2]!,
      executionBurst: [100_000, 3][n % 2]!,
      weight: 1 + (n % 4),
    },
    asOf,
  );

/** The invariants of a tenant after any step. */
async function checkTenant(tenantId: string, cap: number): Promise<void> {
  const suffix = `:${tenantId}`;
  const [backlog, inflight, state] = await Promise.all([
    under.redis.zcard(key("backlog", suffix)),
    members("inflight", suffix),
    under.redis.hgetall(key("tenant", suffix)),
  ]);
  const placed = [
    await under.redis.zscore(key("ring"), tenantId),
    await under.redis.zscore(key("throttled"), tenantId),
    (await under.redis.sismember(key("capped"), tenantId)) === 1 ? "capped" : null,
  ].filter((place) => place !== null);
  expect(placed).toHaveLength(backlog > 0 ? 1 : 0);
  expect(inflight.length).toBeLessThanOrEqual(cap);
  const parkedKeys = await under.redis.keys(key("parked", `${suffix}|*`));
  const parked = await Promise.all(parkedKeys.map((parkedKey) => under.redis.zcard(parkedKey)));
  expect(Number(state["parked"] ?? 0)).toBe(parked.reduce((sum, count) => sum + count, 0));
  const delayed = (await members("delayed")).filter((member) => member.startsWith(`${tenantId}|`));
  expect(Number(state["delayed"] ?? 0)).toBe(delayed.length);
  const leases = (await members("leases")).filter((lease) => lease.startsWith(`${tenantId}|`));
  expect(leases.toSorted()).toEqual(inflight.map((name) => `${tenantId}|${name}`).toSorted());
  expect((await under.redis.hkeys(key("charges", suffix))).toSorted()).toEqual(inflight.toSorted());
}

test.each(everyNth([1, 2, 3], 3))(
  "random steps keep every invariant, and all ends in the end (seed %i)",
  async (seed) => {
    const roll = dice(seed);
    const tenants = Array.from({ length: 6 }, () => newTenantId());
    const shortLived = await under.another({ handedOutLeaseMs: 40 });
    const open = new Map<string, Admission>();
    const held: AttemptKey[] = [];
    const end = async (attempt: AttemptKey): Promise<void> => {
      open.delete(attemptName(attempt));
      await under.queue.release(attempt, roll(3) === 0 ? null : roll(200));
    };
    const newOne = (n: number): Admission => {
      const tool = {
        id: `tool_${roll(3).toString().padStart(16, "0")}`,
        maxConcurrent: 1 + roll(2),
        perSecond: 50,
      };
      return admission(tenants[n]!, {
        current: limitsOf(n),
        priority: roll(10),
        delayMs: roll(4) === 0 ? roll(80) : 0,
        tool: roll(3) === 0 ? tool : null,
      });
    };
    for (let step = 0; step < STEPS; step++) {
      const n = roll(tenants.length);
      const what = roll(10);
      if (what < 4) {
        const some = Array.from({ length: 1 + roll(5) }, () => newOne(n));
        for (const one of some) open.set(attemptName(one), one);
        await (roll(5) === 0 ? shortLived : under.queue).admit(some);
      } else if (what < 8) {
        const taken = await under.take();
        if (taken !== null) held.push(taken);
        if (held.length > roll(6)) await end(held.splice(roll(held.length), 1)[0]!);
      } else if (what === 8) {
        const any = [...open.values()][roll(open.size)];
        if (any !== undefined) await (roll(2) === 0 ? end(any) : under.queue.admit([any]));
      } else {
        await under.queue.dispatch();
      }
      if (step % 10 === 0) await checkTenant(tenants[n]!, CAPS[n % 3]!);
    }
    await until(
      async () => {
        await under.queue.dispatch();
        const missing = await under.queue.missing([...open.values()]);
        await under.queue.admit(
          missing.map((attempt) => ({ ...open.get(attemptName(attempt))!, delayMs: 0 })),
        );
        for (const attempt of held.splice(0)) await end(attempt);
        for (let next = await under.take(); next !== null; next = await under.take()) await end(next);
        return open.size === 0;
      },
      { what: "everything was handed out and ended", timeoutMs: 60_000 },
    );
    for (const kind of ["ring", "throttled", "leases", "delayed"]) expect(await members(kind)).toEqual([]);
    for (const kind of ["parked", "tool-inflight", "extras", "charges", "backlog", "inflight", "reserved"]) {
      expect(await under.redis.keys(key(kind, ":*"))).toEqual([]);
    }
  },
);
