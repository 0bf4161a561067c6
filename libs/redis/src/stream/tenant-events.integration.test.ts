import { compareEventIds, newTenantId, type RunNews } from "@bulkhead/core";
import { until } from "@bulkhead/testing";
import { expect, test } from "vitest";
import { runsChannelOf, tenantLogKey, tenantFloorKey } from "./tenant-events-names.ts";
import {
  countListeners,
  events,
  following,
  named,
  open,
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

const run = (toolName: string): RunNews => ({
  type: "execution.started",
  at: "2026-01-02T03:04:05.678Z",
  data: { executionId: "exe_1", toolName, toolVersion: 1, attempt: 1, source: "rest" },
});

test("starts and ends are told to who follows, from any process, and make nothing where nobody does", async () => {
  const worker = open({});
  const other = newTenantId();
  let made = 0;
  const make = (toolName: string) => () => {
    made += 1;
    return run(toolName);
  };
  worker.runs.tell(tenantId, make("before"));
  expect(made).toBe(0);
  const stopping = new AbortController();
  const follower = await events.runs.follow(tenantId, stopping.signal);
  // The word that somebody follows may reach the worker a moment later.
  await until(() => (worker.runs.tell(tenantId, make("one")), made > 0), { what: "the worker knows" });
  worker.runs.tell(tenantId, make("two"));
  worker.runs.tell(other, make("other's"));
  expect(made).toBe(2);
  const told: unknown[] = [];
  for await (const one of follower) {
    told.push(one);
    if (told.length === 2) stopping.abort();
  }
  expect(told).toEqual([run("one"), run("two")]);
  const listeners = async () => Number((await redis.pubsub("NUMSUB", runsChannelOf(tenantId)))[1]);
  await until(async () => (await listeners()) === 0, { what: "nobody listens any more" });
  expect(await redis.keys("*")).toEqual([]);
});
