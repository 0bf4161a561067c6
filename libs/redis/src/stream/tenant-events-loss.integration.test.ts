import { until } from "@bulkhead/testing";
import { expect, test } from "vitest";
import { TENANT_EVENT_BYTES_MAX, tenantChannelOf, tenantLogKey } from "./tenant-events-names.ts";
import {
  events,
  following,
  named,
  open,
  publish,
  redis,
  reported,
  server,
  tells,
  tenantId,
  useTenantBench,
} from "./fixtures/tenant-bench.ts";

useTenantBench();

test("a resume point that was trimmed away is told as a gap, then what is left", async () => {
  const short = open({ logEventsMax: 3 });
  const whole = await following();
  await publish(["one"], short);
  await tells(whole, "one");
  whole.stop();
  await publish(["two", "three"], short);
  const noneLost = await following(whole.ids[0]);
  await tells(noneLost, "two", "three");
  await publish(["four", "five"], short);
  const lost = await following(whole.ids[0]);
  await tells(lost, "gap", "three", "four", "five");
  expect(lost.gaps).toEqual([{ from: whole.ids[0], to: lost.ids[1] }]);
  const behindTheGap = await following(lost.ids[0]);
  await tells(behindTheGap, "three", "four", "five");
  expect(await redis.xlen(tenantLogKey(tenantId))).toBe(3);
});

test("a reader that does not pull falls behind the log, and is told so", async () => {
  const short = open({ logEventsMax: 3 });
  const pulling = events.follow(tenantId, await events.position(tenantId), new AbortController().signal);
  const slow = pulling[Symbol.asyncIterator]();
  await publish(["one"]);
  expect((await slow.next()).value).toMatchObject({ data: { toolName: "one" } });
  await publish(["two", "three", "four", "five"], short);
  expect((await slow.next()).value).toMatchObject({ type: "events.gap" });
  expect((await slow.next()).value).toMatchObject({ data: { toolName: "three" } });
  await slow.return?.();
});

test("who resumes after Redis was emptied is told of a gap, and so is who was listening", async () => {
  const listening = await following();
  await publish(["one"]);
  await tells(listening, "one");
  await server.kill();
  await server.restartEmpty();
  await until(() => events.position(tenantId), { what: "Redis is back" });
  await publish(["two"]);
  await tells(listening, "one", "gap", "two");
  const resumed = await following(listening.ids[0]);
  await tells(resumed, "gap", "two");
});

test("a resume point that lies ahead of the log is none of it", async () => {
  await publish(["one"]);
  const ahead = await following("999999999999999-0");
  await tells(ahead, "gap", "one");
});

test("a lost message is healed by the follower's own look", async () => {
  const follower = await following(undefined, open({ checkMs: 50 }));
  await publish(["one"]);
  await tells(follower, "one");
  await redis.xadd(tenantLogKey(tenantId), "*", "e", JSON.stringify(named("two")));
  await tells(follower, "one", "two");
});

test("garbage, and kinds that only a newer version knows, harm no follower", async () => {
  const follower = await following();
  await redis.xadd(tenantLogKey(tenantId), "*", "e", "garbage");
  await redis.xadd(tenantLogKey(tenantId), "*", "e", JSON.stringify({ type: "tool.sold", data: {} }));
  await redis.publish(tenantChannelOf(tenantId), "garbage");
  await publish(["one"]);
  await tells(follower, "one");
});

test("what can't be told is reported and fails nothing", async () => {
  await publish(["x".repeat(TENANT_EVENT_BYTES_MAX)]);
  await server.kill();
  await publish(["away"]);
  await server.restartEmpty();
  expect(reported).toHaveLength(2);
  await expect(
    events.follow(tenantId, "0-0", AbortSignal.abort())[Symbol.asyncIterator]().next(),
  ).resolves.toEqual({ done: true, value: undefined });
});

test("a position is refused while Redis is away", async () => {
  await server.kill();
  await expect(events.position(tenantId)).rejects.toMatchObject({ code: "service.unavailable" });
  await server.restartEmpty();
});
