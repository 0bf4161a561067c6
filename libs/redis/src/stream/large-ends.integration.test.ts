import { isEndEvent } from "@bulkhead/core";
import { until } from "@bulkhead/testing";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import {
  ended,
  key,
  nameOf,
  open,
  reading,
  redis,
  rows,
  subscribers,
  useStreamBench,
  writer,
} from "./fixtures/stream-bench.ts";
import { anEnd } from "./fixtures/stream-examples.ts";
import { END_EVENT_BYTES_MAX, LARGE_ENDS_MAX, logKey } from "./names.ts";

useStreamBench();

const READERS = 50;
const RESULT = "x".repeat(END_EVENT_BYTES_MAX + 1);

/** Readers that each ask for what comes first behind `after`, and count what was read for them; `count` is that of the rows. */
function crowd(after: string | null = null) {
  let count = 0;
  const stream = open(reading, {
    findExecution: async (wanted) => {
      count += 1;
      return rows.get(nameOf(wanted)) ?? null;
    },
  });
  const readers = Array.from({ length: READERS }, () => {
    const leaving = new AbortController();
    const events = stream.follow(key, after, leaving.signal)[Symbol.asyncIterator]();
    const reader = { leaving, events, has: false, first: events.next() };
    void reader.first.then(({ done }) => (reader.has = done !== true));
    return reader;
  });
  return { stream, readers, holding: () => readers.filter(({ has }) => has), count: () => count };
}
const allListen = (): Promise<unknown> =>
  until(async () => (await subscribers()) > 0, { what: "the crowd listens" });

async function endLarge(): Promise<void> {
  const end = anEnd(ended("1-1", { result: RESULT }));
  expect(await writer.append(key.tenantId, [end])).toBe(true);
}

test("a large end is read for few readers at a time while they take nothing, and for all when they take it", async () => {
  await endLarge();
  const { stream, readers, holding, count } = crowd();
  await allListen();
  for (let taken = 0; taken < READERS; taken += LARGE_ENDS_MAX) {
    const now = Math.min(taken + LARGE_ENDS_MAX, READERS);
    await until(() => holding().length === now, { what: `${now} readers have it` });
    // A turn that came unasked for would have read by now: the rows of this test are read within one turn of the loop.
    await setImmediate();
    expect(count()).toBe(now);
    for (const { events } of readers.filter(({ has }) => has).slice(taken, now))
      expect((await events.next()).done).toBe(true);
  }
  for (const { value } of await Promise.all(readers.map(({ first }) => first)))
    expect(
      value && isEndEvent(value as never) && (value as { execution?: { result: unknown } }).execution?.result,
    ).toBe(RESULT);
  await stream.close();
});

test("readers that are cut off, holding or waiting, make room for the others", async () => {
  await endLarge();
  const { stream, readers, holding } = crowd();
  await until(() => holding().length === LARGE_ENDS_MAX, { what: "as many as may have it" });
  const patient = readers.find(({ has }) => !has);
  // Nobody pulls or closes theirs: the signal alone says that they are gone.
  for (const reader of readers) if (reader !== patient) reader.leaving.abort();
  expect((await patient?.first)?.value).toMatchObject({ id: "1-1" });
  await stream.close();
});

test("where the log is gone the row is as large, and as few hold it", async () => {
  ended("1-2", { result: RESULT });
  expect(await redis.exists(logKey(key))).toBe(0);
  const { stream, readers, holding, count } = crowd("1-1");
  await until(() => holding().length === LARGE_ENDS_MAX, { what: "as many as may have it" });
  // Each has looked whether it ended, and these have read it.
  await until(() => count() === READERS + LARGE_ENDS_MAX, { what: "all have looked" });
  await setImmediate();
  expect(holding()).toHaveLength(LARGE_ENDS_MAX);
  for (const { leaving } of readers) leaving.abort();
  await stream.close();
});
