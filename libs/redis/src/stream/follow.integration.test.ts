import { until } from "@bulkhead/testing";
import { expect, test } from "vitest";
import { queuedEvent } from "./first-event.ts";
import { channelOf, logKey } from "./names.ts";
import {
  append,
  ended,
  following,
  idOf,
  ids,
  keep,
  key,
  listens,
  nameOf,
  open,
  reading,
  redis,
  rows,
  running,
  stream,
  useStreamBench,
  writer,
} from "./fixtures/stream-bench.ts";
import { aLog, anEnd, anExecution } from "./fixtures/stream-examples.ts";

useStreamBench();

test("what is appended without waiting arrives in order, once, and ends with the terminal event", async () => {
  const follower = following();
  await listens();
  const appends = ids(1, 1, 500).map((id) => append(id));
  expect(await Promise.all(appends)).toEqual(Array(500).fill(true));
  const end = anEnd(ended("1-501"));
  await writer.append(key.tenantId, [end]);
  await follower.done;
  expect(follower.ids()).toEqual(ids(1, 1, 501));
  expect(follower.said.at(-1)).toEqual(end);
});

test("a follower that comes late reads the log first", async () => {
  await append(...ids(1, 1, 200));
  const follower = following();
  await until(() => follower.said.length === 200, { what: "the log is read" });
  await append("1-201");
  await writer.append(key.tenantId, [anEnd(ended("1-202"))]);
  await follower.done;
  expect(follower.ids()).toEqual(ids(1, 1, 202));
});

test("what an older attempt still sends is neither logged nor delivered", async () => {
  const follower = following();
  await listens();
  expect(await append("1-1", "1-2")).toBe(true);
  expect(await append("2-1")).toBe(true);
  expect(await append("1-3")).toBe(false);
  expect(await append("1-4", "2-2")).toBe(true);
  expect(await append("2-2")).toBe(false);
  await writer.append(key.tenantId, [anEnd(ended("3-2"))]);
  expect(await append("2-3", "3-1")).toBe(false);
  await follower.done;
  expect(follower.ids()).toEqual(["1-1", "1-2", "2-1", "2-2", "3-2"]);
  // Events that were appended together are one entry, under the id of the last one.
  expect((await redis.xrange(logKey(key), "-", "+")).map(([id]) => id)).toEqual(["1-2", "2-1", "2-2", "3-2"]);
});

test("resuming in the middle of an entry loses and repeats nothing", async () => {
  const all = ids(1, 1, 300);
  await append(...all);
  await writer.append(key.tenantId, [anEnd(ended("1-301"))]);
  for (const from of ["1-1", "1-57", "1-150", "1-299"]) {
    const follower = following(from);
    await follower.done;
    expect(follower.ids()).toEqual([...all, "1-301"].slice(all.indexOf(from) + 1));
  }
});

test("resuming from every id while the log is being written loses and repeats nothing", async () => {
  const all = ids(1, 1, 120);
  const followers = [];
  for (const id of all) {
    await append(id);
    followers.push({ from: id, follower: following(id) });
  }
  await writer.append(key.tenantId, [anEnd(ended("1-121"))]);
  for (const { from, follower } of followers) {
    await follower.done;
    expect(follower.ids()).toEqual([...all, "1-121"].slice(all.indexOf(from) + 1));
  }
});

test("events that come between the look at the log and the look at the row are not skipped", async () => {
  await append("1-1");
  // The row is looked at when the log has nothing more: exactly then the last events come and the row ends.
  const racing = open(reading, {
    findExecution: async (wanted) => {
      if (rows.get(nameOf(wanted))?.status === "running") {
        await append("1-2", "1-3");
        ended("1-4");
      }
      return rows.get(nameOf(wanted)) ?? null;
    },
  });
  const follower = following("1-1", racing);
  await follower.done;
  expect(follower.ids()).toEqual(["1-2", "1-3", "1-4"]);
  await racing.close();
});

test("a consumer that does not pull holds nothing back and later gets everything from the log", async () => {
  const stopping = new AbortController();
  const events = stream.follow(key, null, stopping.signal)[Symbol.asyncIterator]();
  await append("1-1");
  expect((await events.next()).value).toMatchObject({ id: "1-1" });
  // More than the live buffer holds, while nobody pulls.
  for (const id of ids(1, 2, 1_000)) void append(id);
  expect(await append("1-1001")).toBe(true);
  const got: string[] = [];
  while (got.at(-1) !== "1-1001") {
    const { value } = await events.next();
    if (value) got.push(idOf(value));
  }
  expect(got).toEqual(ids(1, 2, 1_001));
  stopping.abort();
  expect(await events.next()).toMatchObject({ done: true });
});

test("another tenant finds nothing of an execution, live or logged", async () => {
  const stranger = { ...key, tenantId: anExecution().tenantId };
  const follower = following(null, stream, stranger);
  await follower.done;
  expect(follower.ids()).toEqual([]);
  // Its row under the stranger's tenant keeps the stranger's follower alive: nothing of the other's arrives.
  keep(stranger);
  const patient = following(null, stream, stranger);
  await until(async () => Number((await redis.pubsub("NUMSUB", channelOf(stranger)))[1]) > 0, {
    what: "the stranger listens",
  });
  const own = following();
  await listens();
  await append("1-1", "1-2");
  await until(() => own.said.length === 2, { what: "the owner hears" });
  // Each sees the events of its own row only.
  expect(patient.said).toEqual([queuedEvent(stranger)]);
  for (const one of [own, patient]) one.stop();
  await Promise.all([own.done, patient.done]);
});

test("200 followers of 100 executions each see their own events", async () => {
  const executions = Array.from({ length: 100 }, running);
  const followers = executions.flatMap((execution) =>
    [1, 2].map(() => ({ execution, follower: following(null, stream, execution) })),
  );
  const appends = ids(1, 1, 20).flatMap((id) =>
    executions.map((execution) => writer.append(execution.tenantId, [aLog(execution, id)])),
  );
  await Promise.all(appends);
  for (const execution of executions) {
    const row = keep({ ...execution, status: "failed", endEventId: "1-21" });
    await writer.append(execution.tenantId, [anEnd(row)]);
  }
  for (const { execution, follower } of followers) {
    await follower.done;
    expect(follower.ids()).toEqual(ids(1, 1, 21));
    expect(new Set(follower.said.map((said) => "executionId" in said && said.executionId))).toEqual(
      new Set([execution.executionId]),
    );
  }
});
