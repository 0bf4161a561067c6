import { queuedEvent } from "./first-event.ts";
import type { ExecutionEvent } from "@bulkhead/core";
import { isNightly, until } from "@bulkhead/testing";
import { expect, test } from "vitest";
import { logKey, tailKey } from "./names.ts";
import {
  ended,
  following,
  ids,
  key,
  listens,
  nameOf,
  open,
  redis,
  rows,
  stream,
  useStreamBench,
  writer,
  writing,
} from "./fixtures/stream-bench.ts";
import { aLog, anEnd } from "./fixtures/stream-examples.ts";

useStreamBench();

test("a resume point that the log has lost is told as one gap, first", async () => {
  const small = open(writing, { logEventsMax: 50 });
  for (const id of ids(1, 1, 200)) void small.append(key.tenantId, [aLog(key, id)]);
  await small.append(key.tenantId, [anEnd(ended("1-201"))]);
  const kept = (await redis.xrange(logKey(key), "-", "+")).map(([id]) => id);
  expect(kept.length).toBeLessThanOrEqual(50);
  const follower = following("1-3");
  await follower.done;
  expect(follower.ids()).toEqual([`gap 1-3 ${kept[0]}`, ...kept]);
  await small.close();
});

/** The wire's LOG_LINES_MAX. */
const RUN_LINES_MAX = 10_000;

test("the longest run is told whole: what it said, its warnings, its beginning and its end", async () => {
  const all = ids(1, 2, RUN_LINES_MAX + 4);
  for (const id of all) void writer.append(key.tenantId, [aLog(key, id)]);
  const last = `1-${RUN_LINES_MAX + 5}`;
  await writer.append(key.tenantId, [anEnd(ended(last))]);
  const follower = following(null);
  await follower.done;
  expect(follower.ids()).toEqual(["1-1", ...all, last]);
});

test.runIf(isNightly)(
  "so it is where JSON escapes all that it said, up to the highest limit of its bytes",
  async () => {
    const chars = 1024 * 1024 - RUN_LINES_MAX;
    const text = "\u0001".repeat(Math.floor(chars / RUN_LINES_MAX));
    const all = ids(1, 2, RUN_LINES_MAX + 1);
    for (const id of all) void writer.append(key.tenantId, [{ ...aLog(key, id), text } as ExecutionEvent]);
    const last = `1-${RUN_LINES_MAX + 2}`;
    await writer.append(key.tenantId, [anEnd(ended(last))]);
    const follower = following(null);
    await follower.done;
    expect(follower.ids()).toEqual(["1-1", ...all, last]);
  },
);

test("who reads a trimmed log from its beginning is told the first event, and what is missing behind it", async () => {
  const small = open(writing, { logEventsMax: 50 });
  for (const id of ids(1, 2, 200)) void small.append(key.tenantId, [aLog(key, id)]);
  await small.append(key.tenantId, [anEnd(ended("1-201"))]);
  const kept = (await redis.xrange(logKey(key), "-", "+")).map(([id]) => id);
  const follower = following(null);
  await follower.done;
  expect(follower.ids()).toEqual(["1-1", `gap 1-1 ${kept[0]}`, ...kept]);
  await small.close();
});

test("a log stays within its bytes and keeps the newest", async () => {
  const small = open(writing, { logBytesMax: 10_000 });
  const text = "x".repeat(1_000);
  for (const id of ids(1, 1, 100)) {
    await small.append(key.tenantId, [{ ...aLog(key, id), text } as ExecutionEvent]);
  }
  const kept = await redis.xrange(logKey(key), "-", "+");
  const bytes = kept.reduce((sum, [, fields]) => sum + (fields[1] ?? "").length, 0);
  expect(bytes).toBeLessThanOrEqual(10_000);
  expect(kept.at(-1)?.[0]).toBe("1-100");
  expect(Number(await redis.hget(tailKey(key), "bytes"))).toBe(bytes);
  await small.close();
});

test("a follower that fell behind a trimmed log is told of the gap", async () => {
  const small = open(writing, { logEventsMax: 50 });
  const stopping = new AbortController();
  const events = stream.follow(key, null, stopping.signal)[Symbol.asyncIterator]();
  await small.append(key.tenantId, [aLog(key, "1-1")]);
  await events.next();
  // More than a follower that does not pull holds.
  for (const id of ids(1, 2, 4_000)) void small.append(key.tenantId, [aLog(key, id)]);
  await small.append(key.tenantId, [aLog(key, "1-4001")]);
  expect((await events.next()).value).toMatchObject({ type: "execution.gap", from: "1-1" });
  await events.return?.();
  await small.close();
});

test("a log that expired is answered from the row, with a gap", async () => {
  const brief = open(writing, { ttlMs: 20 });
  await brief.append(key.tenantId, [...ids(1, 1, 3).map((id) => aLog(key, id)), anEnd(ended("1-4"))]);
  await until(async () => (await redis.exists(logKey(key), tailKey(key))) === 0, { what: "the log expired" });
  const [fresh, resumed, beyond, atTheEnd] = [null, "1-1", "5-5", "1-4"].map((after) => following(after));
  for (const follower of [fresh, resumed, beyond, atTheEnd]) await follower?.done;
  expect(fresh?.ids()).toEqual(["1-1", "gap 1-1 1-4", "1-4"]);
  expect(fresh?.said.at(-1)).toEqual(anEnd(rows.get(nameOf(key))!));
  expect(resumed?.ids()).toEqual(["gap 1-1 1-4", "1-4"]);
  expect(beyond?.ids()).toEqual([]);
  expect(atTheEnd?.ids()).toEqual([]);
  await brief.close();
});

test("resuming at the end event of a log that is there ends with nothing", async () => {
  await writer.append(key.tenantId, [aLog(key, "1-1"), anEnd(ended("1-2"))]);
  const follower = following("1-2");
  await follower.done;
  expect(follower.ids()).toEqual([]);
});

test.each(["", "x", "1", "-1-1", "1-1-1", "9".repeat(30), "$"])(
  "the malformed resume point %j is taken for none",
  async (after) => {
    await writer.append(key.tenantId, [aLog(key, "1-1"), anEnd(ended("1-2"))]);
    const follower = following(after);
    await follower.done;
    expect(follower.ids()).toEqual(["1-1", "1-2"]);
  },
);

test("a large terminal event travels without its execution and is completed from the row", async () => {
  const follower = following();
  await listens();
  const said = [aLog(key, "1-2"), aLog(key, "1-3"), anEnd(ended("1-4", { result: "x".repeat(100_000) }))];
  await writer.append(key.tenantId, said);
  await follower.done;
  expect(follower.said).toEqual([queuedEvent(key), ...said]);
  expect(await redis.memory("USAGE", logKey(key))).toBeLessThan(10_000);
});
