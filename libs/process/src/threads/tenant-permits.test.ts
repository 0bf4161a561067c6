import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { TenantPermits } from "./tenant-permits.ts";

const MAX = 4;
const NEVER = new AbortController().signal;
type GiveBack = (() => void) | null;

/** Asks, and notes under `name` when its turn came. */
function ask(permits: TenantPermits, turns: string[], name: string, signal = NEVER): Promise<GiveBack> {
  return permits.take("ours", signal).then((giveBack) => {
    if (giveBack) turns.push(name);
    return giveBack;
  });
}
const takeAll = (permits: TenantPermits): Promise<GiveBack[]> =>
  Promise.all(Array.from({ length: MAX }, () => permits.take("ours", NEVER)));

/** All permits are there: as many as there are can be had, and not one more. */
async function expectNoLeak(permits: TenantPermits): Promise<void> {
  const held = await takeAll(permits);
  const turns: string[] = [];
  const beyond = ask(permits, turns, "beyond");
  await setImmediate();
  expect(turns).toEqual([]);
  for (const giveBack of held) giveBack?.();
  (await beyond)?.();
}

test("those who wait get their turn in the order in which they came, before who comes later", async () => {
  const permits = new TenantPermits(MAX);
  const held = await takeAll(permits);
  const turns: string[] = [];
  const [first, second] = [ask(permits, turns, "first"), ask(permits, turns, "second")];
  await setImmediate();
  expect(turns).toEqual([]);
  held[0]?.();
  const late = ask(permits, turns, "late");
  await setImmediate();
  expect(turns).toEqual(["first"]);
  for (const giveBack of held) giveBack?.();
  for (const giveBack of await Promise.all([first, second, late])) giveBack?.();
  expect(turns).toEqual(["first", "second", "late"]);
  await expectNoLeak(permits);
});

test("a tenant whose own all wait holds up no other tenant", async () => {
  const permits = new TenantPermits(MAX);
  await takeAll(permits);
  expect(await permits.take("theirs", NEVER)).not.toBeNull();
});

test("who leaves while it waits takes no turn, and the next one gets it", async () => {
  const permits = new TenantPermits(MAX);
  const held = await takeAll(permits);
  const turns: string[] = [];
  const leaving = new AbortController();
  const left = ask(permits, turns, "left", leaving.signal);
  const next = ask(permits, turns, "next");
  leaving.abort();
  expect(await left).toBeNull();
  expect(await permits.take("ours", leaving.signal)).toBeNull();
  held[0]?.();
  const giveBack = await next;
  expect(turns).toEqual(["next"]);
  for (const one of [...held, giveBack]) one?.();
  await expectNoLeak(permits);
});

test("a permit that is given back twice, or whose holder leaves in the moment of its turn, counts once", async () => {
  const permits = new TenantPermits(MAX);
  const held = await takeAll(permits);
  const leaving = new AbortController();
  const waiting = permits.take("ours", leaving.signal);
  held[0]?.();
  held[0]?.();
  leaving.abort();
  const giveBack = await waiting;
  expect(giveBack).not.toBeNull();
  for (const one of [...held, giveBack]) one?.();
  await expectNoLeak(permits);
});
