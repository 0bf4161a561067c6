import { compareEventIds, newTenantId } from "@bulkhead/core";
import { until } from "@bulkhead/testing";
import { expect, test } from "vitest";
import { tenantLogKey, tenantFloorKey } from "./tenant-events-names.ts";
import {
  countListeners,
  events,
  following,
  named,
  publish,
  redis,
  tells,
  tenantId,
  useTenantBench,
} from "./fixtures/tenant-bench.ts";

useTenantBench();

test("who follows is told what comes, in order, under rising ids, and nothing from before", async () => {
  await publish(["before"]);
  const follower = await following();
  await publish(["one", "two", "three"]);
  await tells(follower, "one", "two", "three");
  const [first = "", second = "", third = ""] = follower.ids;
  expect(compareEventIds(first, second)).toBeLessThan(0);
  expect(compareEventIds(second, third)).toBeLessThan(0);
});

test("an event has the time of its id and exactly the fields of its kind", async () => {
  const from = await events.position(tenantId);
  await publish(["one"]);
  const one = events.follow(tenantId, from, new AbortController().signal)[Symbol.asyncIterator]();
  const { value } = await one.next();
  await one.return?.();
  const { id, at, ...news } = value;
  expect(news).toEqual(named("one"));
  expect(Date.parse(at)).toBe(Number(id.split("-")[0]));
});

test("resuming from behind any event tells exactly the rest, however many pages that is", async () => {
  const names = Array.from({ length: 150 }, (_, n) => `tool_${n}`);
  const whole = await following();
  await publish(names);
  await tells(whole, ...names);
  for (const seen of [1, 63, 64, 149]) {
    const resumed = await following(whole.ids[seen - 1]);
    await tells(resumed, ...names.slice(seen));
  }
  const seenAll = await following(whole.ids.at(-1));
  await publish(["last"]);
  await tells(seenAll, "last");
});

test("who came before the first event, and comes back, has missed nothing", async () => {
  const early = await following();
  early.stop();
  await early.done;
  await publish(["one"]);
  await tells(await following(early.from), "one");
});

test("another tenant's events never show", async () => {
  const ours = await following();
  const theirs = await following(undefined, events, newTenantId());
  await publish(["one"]);
  await tells(ours, "one");
  await tells(await following("0-0", events, newTenantId()), "gap");
  expect(theirs.told).toEqual([]);
});

test("followers of a tenant share one subscription, and closing ends them all", async () => {
  const followers = [await following(), await following()];
  await publish(["one"]);
  for (const follower of followers) await tells(follower, "one");
  expect(await countListeners()).toBe(1);
  events.close();
  await Promise.all(followers.map(({ done }) => done));
  await until(async () => (await countListeners()) === 0, { what: "nobody listens any more" });
});

test("a log expires some time after it was last written or read", async () => {
  await publish(["one"]);
  expect(await redis.pttl(tenantLogKey(tenantId))).toBeGreaterThan(0);
  expect(await redis.pttl(tenantFloorKey(tenantId))).toBeGreaterThan(0);
  await redis.persist(tenantLogKey(tenantId));
  await events.position(tenantId);
  expect(await redis.pttl(tenantLogKey(tenantId))).toBeGreaterThan(0);
});
