import { compareEventIds, type ExecutionKey, type LogPiece, type PackedLog } from "@bulkhead/core";
import { isNightly, until } from "@bulkhead/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { OpenedEventStream } from "./event-stream.ts";
import {
  append,
  ended,
  following,
  ids,
  key,
  open,
  reading,
  redis,
  useStreamBench,
  writer,
  writing,
} from "./fixtures/stream-bench.ts";
import { aLog, anEnd } from "./fixtures/stream-examples.ts";
import { openStreamLogs, type OpenedStreamLogs } from "./stream-logs.ts";

useStreamBench();

const WHOLE = { withoutErrors: false };
let streamLogs: OpenedStreamLogs;
/** Reads what was kept by `keep`. */
let late: OpenedEventStream;
let kept: PackedLog | null;
let reports: string[][];
let databaseIsAway: boolean;
let refused: number;

beforeEach(() => {
  kept = null;
  databaseIsAway = false;
  refused = 0;
  streamLogs = openStreamLogs(writing);
  reports = [];
  const report = (what: string, error: unknown): void => void reports.push([what, String(error)]);
  late = open(reading, { logs: { readPiece }, report, checkMs: 20 });
});
afterEach(async () => {
  await late.close();
  await streamLogs.close();
});

/** As the store does it. */
async function readPiece(of: ExecutionKey, after: string) {
  if (databaseIsAway) {
    refused += 1;
    throw new Error("the database is away");
  }
  if (kept === null || of.executionId !== key.executionId) return null;
  const holds = ({ firstId, lastId }: LogPiece): boolean =>
    compareEventIds(firstId, after) <= 0 && compareEventIds(after, lastId) <= 0;
  const piece = kept.pieces.find(({ lastId }) => compareEventIds(lastId, after) > 0);
  return { packed: piece?.packed ?? null, holdsCursor: kept.pieces.some(holds), cut: kept.cut };
}

/** Moves the log out of its stream, which is then gone. */
async function keep(): Promise<void> {
  kept = (await streamLogs.pack(key, WHOLE)).log;
  await redis.flushall();
}
async function told(after: string | null = null): Promise<string[]> {
  const follower = following(after, late);
  await follower.done;
  return follower.ids();
}
const end = (id: string) => writer.append(key.tenantId, [anEnd(ended(id))]);

test("a log that outlived its stream is told as the stream would have told it", async () => {
  await append(...ids(1, 2, 900));
  await end("1-901");
  const before = following(null);
  await before.done;
  await keep();
  const after = following(null, late);
  await after.done;
  expect(after.said).toEqual(before.said);
  expect(after.ids()).toEqual(ids(1, 1, 901));
});

test("resuming anywhere in it repeats and loses nothing, across attempts too", async () => {
  await append(...ids(1, 2, 40), ...ids(2, 1, 700), ...ids(3, 1, 9));
  await end("3-10");
  await keep();
  const all = [...ids(1, 1, 40), ...ids(2, 1, 700), ...ids(3, 1, 10)];
  for (const from of ["1-1", "1-2", "1-40", "2-1", "2-350", "2-700", "3-9"])
    expect(await told(from)).toEqual(all.slice(all.indexOf(from) + 1));
  expect(await told("3-10")).toEqual([]);
});

test("what the stream had lost is told as a gap", async () => {
  await append(...ids(1, 2, 20));
  await redis.flushall();
  await append(...ids(1, 30, 40));
  await end("1-41");
  await keep();
  expect(await told()).toEqual(["1-1", "gap 1-1 1-30", ...ids(1, 30, 41)]);
  expect(await told("1-20")).toEqual(["gap 1-20 1-30", ...ids(1, 30, 41)]);
});

test("a log that was cut to its bounds says so", async () => {
  const narrow = open(writing, { logEventsMax: 10 });
  for (const id of ids(1, 2, 20)) await narrow.append(key.tenantId, [aLog(key, id)]);
  await end("1-21");
  await narrow.close();
  await keep();
  const cut = kept?.cut ?? "";
  const first = `1-${Number(cut.slice(2)) + 1}`;
  expect(await told()).toEqual(["1-1", `gap 1-1 ${first}`, ...ids(1, Number(first.slice(2)), 21)]);
});

test("where nothing was kept the row tells the end, as before", async () => {
  await append("1-2", "1-3");
  await end("1-4");
  await redis.flushall();
  expect(await told()).toEqual(["1-1", "gap 1-1 1-4", "1-4"]);
});

test("a follower outlives a database that is away", async () => {
  await append(...ids(1, 2, 5));
  await end("1-6");
  await keep();
  databaseIsAway = true;
  const follower = following(null, late);
  await until(() => refused > 1, { what: "the database was asked again" });
  expect(follower.ids()).toEqual([]);
  databaseIsAway = false;
  await follower.done;
  expect(follower.ids()).toEqual(ids(1, 1, 6));
  // Once an outage, and not as one of Redis.
  expect(reports).toEqual([["reading the end of an execution failed", "Error: the database is away"]]);
});

test("a log that ended is packed with its end known, one that goes on without", async () => {
  await append("1-2", "1-3");
  expect(await streamLogs.pack(key, WHOLE)).toMatchObject({
    hasEnd: false,
    log: { pieces: [{ firstId: "1-2" }] },
  });
  await end("1-4");
  expect(await streamLogs.pack(key, WHOLE)).toMatchObject({
    hasEnd: true,
    log: { words: ["line", "1", "3", "2"] },
  });
  await redis.flushall();
  expect(await streamLogs.pack(key, WHOLE)).toEqual({ hasEnd: false, log: null });
});

test.runIf(isNightly)("ten thousand lines are packed whole", async () => {
  const all = ids(1, 2, 10_001);
  await append(...all);
  await end("1-10002");
  await keep();
  expect(await told()).toEqual(["1-1", ...all, "1-10002"]);
});
