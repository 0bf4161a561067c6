import { queuedEvent } from "./first-event.ts";
import { until } from "@bulkhead/testing";
import { expect, test } from "vitest";
import { encodeEvent } from "./event-codec.ts";
import { channelOf, logKey, tailKey } from "./names.ts";
import {
  append,
  ended,
  following,
  ids,
  key,
  listens,
  nameOf,
  open,
  reading,
  redis,
  rows,
  server,
  stream,
  useStreamBench,
  writer,
} from "./fixtures/stream-bench.ts";
import { aLog, anEnd } from "./fixtures/stream-examples.ts";

useStreamBench();

test("a lost message is healed by the next one", async () => {
  const follower = following();
  await listens();
  await append("1-1");
  await redis.xadd(logKey(key), "1-2", "e", encodeEvent(aLog(key, "1-2")));
  await redis.hset(tailKey(key), "last", "1-2");
  await append("1-3");
  await until(() => follower.said.length === 3, { what: "all three arrive" });
  expect(follower.ids()).toEqual(["1-1", "1-2", "1-3"]);
  follower.stop();
  await follower.done;
});

test("a lost last message is healed by the follower's own look", async () => {
  const looking = open(reading, { checkMs: 50 });
  const follower = following(null, looking);
  await listens();
  await append("1-1");
  await until(() => follower.said.length === 1, { what: "the first arrives" });
  await redis.xadd(logKey(key), "1-2", "e", encodeEvent(aLog(key, "1-2")));
  await until(() => follower.said.length === 2, { what: "the second arrives" });
  ended("1-3");
  await follower.done;
  expect(follower.ids()).toEqual(["1-1", "1-2", "1-3"]);
  expect(follower.said.at(-1)).toEqual(anEnd(rows.get(nameOf(key))!));
  await looking.close();
});

test("garbage on the channel and in the log harms no follower", async () => {
  const follower = following();
  await listens();
  await append("1-1");
  await redis.publish(channelOf(key), "garbage");
  await redis.publish(channelOf(key), "1-1\n{}");
  await redis.xadd(logKey(key), "1-2", "e", "garbage");
  await append("1-3");
  await until(() => follower.said.length === 3, { what: "both arrive, and that one is missing" });
  expect(follower.ids()).toEqual(["1-1", "gap 1-1 1-3", "1-3"]);
  follower.stop();
  await follower.done;
});

test("a follower goes on after Redis was killed and came back empty", async () => {
  const follower = following();
  await listens();
  await append("1-1");
  await until(() => follower.said.length === 1, { what: "the first arrives" });
  await server.kill();
  await expect(append("1-2")).rejects.toMatchObject({ code: "service.unavailable" });
  await server.restartEmpty();
  // False where a try that was given up had been taken.
  await until(() => append("1-3").then(() => true), { what: "appending works again" });
  await until(() => follower.said.length === 3, { what: "the next arrives, and that one is missing" });
  await writer.append(key.tenantId, [anEnd(ended("1-4"))]);
  await follower.done;
  expect(follower.ids()).toEqual(["1-1", "gap 1-1 1-3", "1-3", "1-4"]);
});

test("an end that was never published is learnt when Redis comes back", async () => {
  const follower = following();
  const watch = stream.watchEnd(key);
  await listens();
  await server.kill();
  const end = anEnd(ended("1-2"));
  await server.restartEmpty();
  await follower.done;
  expect(follower.said).toEqual([queuedEvent(key), end]);
  expect(await watch.ended).toEqual(end);
  watch.close();
});

test("a follow that begins while Redis is away is answered from the row", async () => {
  const end = anEnd(ended("1-2"));
  await server.kill();
  const follower = following();
  await follower.done;
  expect(follower.said).toEqual([queuedEvent(key), end]);
  await server.restartEmpty();
});

test("appending works after Redis has forgotten the script", async () => {
  await append("1-1");
  await redis.script("FLUSH");
  expect(await Promise.all(ids(1, 2, 50).map((id) => append(id)))).toEqual(Array(49).fill(true));
});
