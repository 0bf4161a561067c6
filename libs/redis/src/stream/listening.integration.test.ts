import { newExecutionId } from "@bulkhead/core";
import { until } from "@bulkhead/testing";
import { expect, test } from "vitest";
import { channelOf, logKey } from "./names.ts";
import {
  append,
  ended,
  following,
  ids,
  keep,
  key,
  listens,
  open,
  reading,
  redis,
  stream,
  subscribers,
  useStreamBench,
  writer,
  writing,
} from "./fixtures/stream-bench.ts";
import { aLog, anEnd } from "./fixtures/stream-examples.ts";

useStreamBench();

test("watchEnd tells of the end once it is ready, and of nothing else", async () => {
  const watch = stream.watchEnd(key);
  await watch.ready;
  await writer.append(key.tenantId, [
    { ...aLog(key, "1-1"), type: "execution.progress", value: { type: "execution.failed" } },
  ]);
  const end = anEnd(ended("1-2"));
  await writer.append(key.tenantId, [aLog(key, "1-1"), end]);
  expect(await watch.ended).toEqual(end);
  watch.close();
  watch.close();
  await until(async () => (await subscribers()) === 0, { what: "nobody listens any more" });
});

test("watchEnd tells of a person who is asked, by the message and by the row", async () => {
  const asked = {
    ...aLog(key, "1-2"),
    type: "execution.awaiting_approval",
    approvalId: "a",
    expiresAt: "",
  } as const;
  const watch = stream.watchEnd(key);
  await watch.ready;
  await writer.append(key.tenantId, [aLog(key, "1-1"), asked]);
  expect(await watch.ended).toEqual({});
  watch.close();
  keep({ ...key, status: "awaiting_approval" });
  const looking = open(reading, { checkMs: 50 });
  expect(await looking.watchEnd(key).ended).toEqual({});
  await looking.close();
});

test("watchEnd looks at the row by itself when the message was lost", async () => {
  const looking = open(reading, { checkMs: 50 });
  const watch = looking.watchEnd(key);
  await watch.ready;
  const end = anEnd(ended("1-2"));
  expect(await watch.ended).toEqual(end);
  await looking.close();
});

test("followers and watchers of one execution share one subscription, and the last one ends it", async () => {
  const follower = following();
  const watches = [stream.watchEnd(key), stream.watchEnd(key)];
  await Promise.all(watches.map(({ ready }) => ready));
  expect(await subscribers()).toBe(1);
  watches[0]?.close();
  follower.stop();
  await follower.done;
  const again = following();
  await append("1-1");
  await until(() => again.said.length === 1, { what: "the newcomer hears" });
  expect(await subscribers()).toBe(1);
  watches[1]?.close();
  again.stop();
  await again.done;
  await until(async () => (await subscribers()) === 0, { what: "nobody listens any more" });
});

test("what is left and joined again at once goes on to be heard, also when what was left is let go of", async () => {
  const other = { ...key, executionId: newExecutionId(new Date()) };
  const left = [key, other].map((one) => stream.watchEnd(one));
  await Promise.all(left.map(({ ready }) => ready));
  for (const watch of left) watch.close();
  const watch = stream.watchEnd(key);
  await watch.ready;
  await until(async () => Number((await redis.pubsub("NUMSUB", channelOf(other)))[1]) === 0, {
    what: "the other one is let go of",
  });
  expect(await subscribers()).toBe(1);
  const end = anEnd(ended("1-1"));
  await writer.append(key.tenantId, [end]);
  expect(await watch.ended).toEqual(end);
  watch.close();
});

test("a follower that is aborted without being pulled stops listening", async () => {
  const stopping = new AbortController();
  const events = stream.follow(key, null, stopping.signal)[Symbol.asyncIterator]();
  await append("1-1");
  await events.next();
  stopping.abort();
  await until(async () => (await subscribers()) === 0, { what: "nobody listens any more" });
  expect(await events.next()).toMatchObject({ done: true });
});

test("closing ends every follower, lets out what was appended, and leaves no connection", async () => {
  const follower = following();
  await listens();
  const appended = append(...ids(1, 1, 10));
  await Promise.all([writer.close(), stream.close()]);
  expect(await appended).toBe(true);
  await follower.done;
  await Promise.all([writing.close(), reading.close()]);
  const entries = await redis.xrange(logKey(key), "-", "+");
  expect(entries.flatMap(([, fields]) => fields[1]?.split("\n"))).toHaveLength(10);
  await until(async () => !String(await redis.client("LIST")).includes("bulkhead"), {
    what: "Redis has no connection of ours",
  });
});
