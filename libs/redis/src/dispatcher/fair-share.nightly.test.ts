import { newTenantId, type AttemptKey } from "@bulkhead/core";
import { leakCheck } from "@bulkhead/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import {
  admission,
  admissions,
  DispatcherUnderTest,
  limited,
  namesOf,
  UNPACED,
} from "./fixtures/dispatcher-under-test.ts";

leakCheck();
// The tests make thousands of round trips to Redis, which are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const SLOTS = 8;
let under: DispatcherUnderTest;
beforeAll(async () => void (under = await DispatcherUnderTest.open()));
afterAll(() => under.close());
beforeEach(() => under.begin({ slots: SLOTS }));
afterEach(() => under.end());

const weighing = (weight: number) => limited({ ...UNPACED, weight, maxConcurrentExecutions: 1_000 });

/**
 * `SLOTS` virtual workers run what is handed out, each attempt for as long as `costOf` says, until `releases` have
 * ended; answers the virtual milliseconds that each tenant used. No clock is involved.
 */
async function work(costOf: (attempt: AttemptKey) => number, releases: number): Promise<Map<string, number>> {
  const running: { attempt: AttemptKey; cost: number; endsAt: number }[] = [];
  const used = new Map<string, number>();
  let at = 0;
  for (let ended = 0; ended < releases; ended++) {
    while (running.length < SLOTS) {
      const attempt = await under.take();
      if (attempt === null) break;
      const cost = costOf(attempt);
      running.push({ attempt, cost, endsAt: at + cost });
    }
    running.sort((a, b) => a.endsAt - b.endsAt);
    const next = running.shift();
    if (next === undefined) break;
    at = next.endsAt;
    used.set(next.attempt.tenantId, (used.get(next.attempt.tenantId) ?? 0) + next.cost);
    await under.queue.release(next.attempt, next.cost);
  }
  return used;
}

/** Each tenant's part of the whole. */
function shares(used: Map<string, number>, tenantIds: string[]): number[] {
  const all = [...used.values()].reduce((sum, ms) => sum + ms, 0);
  return tenantIds.map((tenantId) => (used.get(tenantId) ?? 0) / all);
}

/** A repeatable spread of costs around `mean`. */
function spread(mean: number): () => number {
  let state = 42;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return mean * (0.2 + 1.6 * (state / 2 ** 31));
  };
}

test("tenants with the weights 1, 2 and 4 get the workers' time as 1 to 2 to 4, whatever their attempts cost", async () => {
  const tenants = [newTenantId(), newTenantId(), newTenantId()];
  const costs = [spread(40), spread(400), spread(100)];
  for (const [n, tenantId] of tenants.entries()) {
    await under.queue.admit(admissions(2_000, { current: weighing(2 ** n) }, tenantId));
  }
  const used = await work((attempt) => costs[tenants.indexOf(attempt.tenantId)]!(), 1_500);
  for (const [n, share] of shares(used, tenants).entries()) {
    const due = 2 ** n / 7;
    expect(share).toBeGreaterThan(due * 0.95);
    expect(share).toBeLessThan(due * 1.05);
  }
});

test("a tenant that spreads over 500 tools gains nothing", async () => {
  const [one, many] = [newTenantId(), newTenantId()];
  const tool = (n: number) => ({ id: `tool_${n.toString(16).padStart(16, "0")}`, maxConcurrent: 5 });
  await under.queue.admit(admissions(1_000, { current: weighing(1) }, one));
  const spreadOut = admissions(1_000, { current: weighing(1) }, many);
  await under.queue.admit(spreadOut.map((attempt, n) => ({ ...attempt, tool: tool(n % 500) })));
  const cost = spread(50);
  const [ones, manys] = shares(await work(() => cost(), 800), [one, many]);
  expect(ones).toBeGreaterThan(0.475);
  expect(manys).toBeGreaterThan(0.475);
});

test("a newcomer meets a flood with its share at once, and has earned nothing by idling", async () => {
  const [flood, newcomer] = [newTenantId(), newTenantId()];
  await under.queue.admit(admissions(2_000, { current: weighing(1) }, flood));
  await work(() => 100, 500);
  await under.queue.admit(admissions(500, { current: weighing(1) }, newcomer));
  const [floods, newcomers] = shares(await work(() => 100, 400), [flood, newcomer]);
  expect(floods).toBeGreaterThan(0.46);
  expect(newcomers).toBeGreaterThan(0.46);
});

test("a tenant that waited at its cap earns no credit over the others by that", async () => {
  const [capped, other] = [newTenantId(), newTenantId()];
  await under.queue.admit(
    admissions(1_000, { current: limited({ ...UNPACED, maxConcurrentExecutions: 1 }, 1) }, capped),
  );
  await under.queue.admit(admissions(2_000, { current: weighing(1) }, other));
  await work(() => 100, 500);
  await under.queue.setLimits(capped, limited({ ...UNPACED, maxConcurrentExecutions: 1_000 }, 2));
  const [cappeds, others] = shares(await work(() => 100, 400), [capped, other]);
  expect(cappeds).toBeLessThan(0.54);
  expect(others).toBeLessThan(0.54);
});

test("what an attempt really used is charged, not what had been expected", async () => {
  const [cheap, dear] = [newTenantId(), newTenantId()];
  await under.announce(1);
  await under.queue.admit([cheap, dear].map((tenantId) => admission(tenantId, { current: weighing(1) })));
  const both = [await under.take(), await under.take()];
  for (const attempt of both) await under.queue.release(attempt!, attempt!.tenantId === dear ? 10_000 : 1);
  await under.announce(0);
  await under.queue.admit(admissions(3, {}, dear));
  const due = admissions(3, {}, cheap);
  await under.queue.admit(due);
  await under.announce(2);
  await under.queue.dispatch();
  expect(await under.ready()).toEqual(namesOf(due));
});

test("no slot idles while an admissible attempt waits: after every step no slot is free or no tenant has a turn", async () => {
  const tenants = [newTenantId(), newTenantId(), newTenantId()];
  const tool = { id: "tool_00000000000000aa", maxConcurrent: 2 };
  const costs = spread(30);
  await under.queue.admit(admissions(60, { current: weighing(1) }, tenants[0]));
  await under.queue.admit(admissions(60, { current: weighing(3), tool }, tenants[1]));
  await under.queue.admit(admissions(60, { current: limited({ maxConcurrentExecutions: 2 }) }, tenants[2]));
  let ended = 0;
  for (let next = await under.take(); next !== null; next = await under.take()) {
    await under.queue.release(next, costs());
    ended++;
    const [measure] = await under.queue.measure();
    expect(measure!.inflight >= 10 || (await under.redis.zcard("{bh:0}:ring")) === 0).toBe(true);
    expect(measure!.inflight >= 10 || measure!.startable === measure!.ready).toBe(true);
  }
  expect(ended).toBe(180);
  expect(await under.queue.measure()).toMatchObject([{ inflight: 0, backlog: 0, startable: 0 }]);
});

test("nothing is handed out without live workers, and never much more than they have slots", async () => {
  await under.announce(0);
  await under.queue.admit(admissions(100, { current: weighing(1) }));
  expect(await under.ready()).toEqual([]);
  await under.announce(10);
  await under.queue.dispatch();
  expect(await under.ready()).toHaveLength(13);
});

test("who holds no slot starts beside those that a saturated worker still runs, as far as it would at rest", async () => {
  const flood = admissions(7, { current: weighing(1) });
  await under.queue.admit(flood.slice(0, 6));
  await under.offer(1);
  const [a, b, c, d, e] = Array.from({ length: 5 }, () => admissions(2, { current: weighing(1) }));
  const quiet = [a, b, c, d, e].map((own = []) => own[0]!);
  const running = namesOf(flood.slice(0, 6));
  const handedOut = () => under.ready().then((names) => names.filter((name) => !running.includes(name)));
  // One that runs already and one whose tenant holds a slot wait for slots that are offered.
  await under.queue.admit([flood[6]!, ...a!]);
  expect(await handedOut()).toEqual(namesOf(quiet.slice(0, 1)));
  for (const one of quiet.slice(1)) await under.queue.admit([one]);
  // 8 slots at rest, and a quarter more that is ready for when one is free.
  expect(await handedOut()).toEqual(namesOf(quiet.slice(0, 4)));
  await under.queue.release(flood[0]!, 1);
  expect(await handedOut()).toEqual(namesOf(quiet));
  for (const ended of flood.slice(1, 5)) await under.queue.release(ended, 1);
  expect(await handedOut()).toEqual(namesOf(quiet));
  await under.offer(8);
  await under.queue.dispatchDue();
  expect((await handedOut()).slice(5).toSorted()).toEqual(namesOf([flood[6]!, a![1]!]).toSorted());
});

test("who holds no slot is not kept from it by one with a lower tag that holds some", async () => {
  // The surplus of their estimates is given back, so the flood is behind the virtual time.
  const flood = admissions(20, { current: weighing(1) });
  await under.queue.admit(flood);
  for (const ended of flood.slice(0, 4)) await under.queue.release(ended, 1);
  await under.offer(1);
  for (const ended of flood.slice(4, 8)) await under.queue.release(ended, 1);
  const quiet = admissions(1, { current: weighing(1) });
  const tag = Number(await under.redis.zscore("{bh:0}:ring", flood[0]!.tenantId));
  expect(tag).toBeLessThan(Number(await under.redis.get("{bh:0}:virtual-time")));
  await under.queue.admit(quiet);
  expect((await under.ready()).slice(-1)).toEqual(namesOf(quiet));
});
