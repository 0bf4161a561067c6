import { newTenantId, type AttemptKey } from "@bulkhead/core";
import { leakCheck, until } from "@bulkhead/testing";
import { setTimeout } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { HandedOut } from "./handed-out.ts";
import {
  admission,
  admissions,
  DispatcherUnderTest,
  limited,
  UNPACED,
} from "./fixtures/dispatcher-under-test.ts";

leakCheck();

/** Redis's clock and ours may round differently. */
const PAUSE_MS = 100;
const ROUNDING_MS = 10;

let under: DispatcherUnderTest;
let tenantId: string;
beforeAll(async () => void (under = await DispatcherUnderTest.open()));
afterAll(() => under.close());
beforeEach(() => void (tenantId = newTenantId()));
afterEach(() => under.end());

const take = async (): Promise<HandedOut> => {
  const taken = await under.take();
  if (taken === null) throw new Error("nothing was handed out");
  return taken;
};
const waitOf = async (): Promise<number | undefined> => (await take()).startableMs;
const watched = (): Promise<string | null> => under.redis.hget(`{bh:0}:tenant:${tenantId}`, "watched");
const capped = (cap: number) => limited({ ...UNPACED, maxConcurrentExecutions: cap });

/** One worker, whose only slot another tenant holds. */
async function occupy(): Promise<AttemptKey[]> {
  await under.begin({ slots: 1 });
  await under.queue.admit(admissions(2));
  return [await take(), await take()];
}

test("what goes at once waited for nobody", async () => {
  await under.begin();
  await under.queue.admit([admission(tenantId)]);
  expect(await waitOf()).toBe(0);
});

test("a wait for the tenant's own cap is none of ours", async () => {
  await under.begin();
  await under.queue.admit(admissions(2, { current: capped(1) }, tenantId));
  const first = await take();
  await setTimeout(PAUSE_MS);
  await under.queue.release(first, 1);
  expect(await waitOf()).toBe(0);
});

test("nor is one for its own rate", async () => {
  await under.begin();
  const current = limited({ executionsPerSecond: 10, executionBurst: 1 });
  await under.queue.admit(admissions(2, { current }, tenantId));
  await take();
  await until(() => under.queue.dispatch().then(async () => (await under.ready()).length > 0), {
    what: "the rate allows the second",
  });
  expect(await waitOf()).toBe(0);
});

test("a wait for a slot is, and of a long backlog only as far as the cap would have let it start", async () => {
  const others = await occupy();
  await under.queue.admit(admissions(4, { current: capped(2) }, tenantId));
  await setTimeout(PAUSE_MS);
  for (const other of others) await under.queue.release(other, 1);
  const first = await take();
  expect(first.startableMs).toBeUndefined();
  expect(await waitOf()).toBeGreaterThanOrEqual(PAUSE_MS - ROUNDING_MS);
  await setTimeout(PAUSE_MS);
  await under.queue.release(first, 1);
  expect(await waitOf()).toBe(0);
});

test("who takes its work back, or may not start it any more, is watched no longer", async () => {
  await occupy();
  const [one] = admissions(1, {}, tenantId);
  await under.queue.admit([one!]);
  expect(await watched()).toMatch(/^\d+:1$/);
  await under.queue.release(one!, null);
  expect(await watched()).toBeNull();

  await under.queue.admit(admissions(5, { current: capped(4) }, tenantId));
  expect(await watched()).toMatch(/^\d+:4$/);
  await under.queue.setLimits(tenantId, { ...capped(2), asOf: new Date(2) });
  expect(await watched()).toMatch(/^\d+:2$/);
});

test("what a rate doesn't let start is not told as startable", async () => {
  await occupy();
  const current = limited({ executionsPerSecond: 0.001, executionBurst: 3 });
  await under.queue.admit(admissions(10, { current }, tenantId));
  expect(await under.queue.measure()).toMatchObject([{ backlog: 10, startable: 3 }]);
});
