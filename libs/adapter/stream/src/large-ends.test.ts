import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { LargeEnds } from "./large-ends.ts";
import { LARGE_ENDS_MAX } from "./names.ts";

const NEVER = new AbortController().signal;
type GiveBack = (() => void) | null;

/** Asks, and notes under `name` when its turn came. */
function ask(ends: LargeEnds, turns: string[], name: string, signal = NEVER): Promise<GiveBack> {
  return ends.take("ours", signal).then((giveBack) => {
    if (giveBack) turns.push(name);
    return giveBack;
  });
}
const takeAll = (ends: LargeEnds): Promise<GiveBack[]> =>
  Promise.all(Array.from({ length: LARGE_ENDS_MAX }, () => ends.take("ours", NEVER)));

/** All permits are there: as many as there are can be had, and not one more. */
async function expectNoLeak(ends: LargeEnds): Promise<void> {
  const held = await takeAll(ends);
  const turns: string[] = [];
  const beyond = ask(ends, turns, "beyond");
  await setImmediate();
  expect(turns).toEqual([]);
  for (const giveBack of held) giveBack?.();
  (await beyond)?.();
}

test("those who wait get their turn in the order in which they came, before who comes later", async () => {
  const ends = new LargeEnds();
  const held = await takeAll(ends);
  const turns: string[] = [];
  const [first, second] = [ask(ends, turns, "first"), ask(ends, turns, "second")];
  await setImmediate();
  expect(turns).toEqual([]);
  held[0]?.();
  const late = ask(ends, turns, "late");
  await setImmediate();
  expect(turns).toEqual(["first"]);
  for (const giveBack of held) giveBack?.();
  for (const giveBack of await Promise.all([first, second, late])) giveBack?.();
  expect(turns).toEqual(["first", "second", "late"]);
  await expectNoLeak(ends);
});

test("a tenant whose followers all wait holds up no other tenant", async () => {
  const ends = new LargeEnds();
  await takeAll(ends);
  expect(await ends.take("theirs", NEVER)).not.toBeNull();
});

test("who leaves while it waits takes no turn, and the next one gets it", async () => {
  const ends = new LargeEnds();
  const held = await takeAll(ends);
  const turns: string[] = [];
  const leaving = new AbortController();
  const left = ask(ends, turns, "left", leaving.signal);
  const next = ask(ends, turns, "next");
  leaving.abort();
  expect(await left).toBeNull();
  expect(await ends.take("ours", leaving.signal)).toBeNull();
  held[0]?.();
  const giveBack = await next;
  expect(turns).toEqual(["next"]);
  for (const one of [...held, giveBack]) one?.();
  await expectNoLeak(ends);
});

test("a permit that is given back twice, or whose holder leaves in the moment of its turn, counts once", async () => {
  const ends = new LargeEnds();
  const held = await takeAll(ends);
  const leaving = new AbortController();
  const waiting = ends.take("ours", leaving.signal);
  held[0]?.();
  held[0]?.();
  leaving.abort();
  const giveBack = await waiting;
  expect(giveBack).not.toBeNull();
  for (const one of [...held, giveBack]) one?.();
  await expectNoLeak(ends);
});
