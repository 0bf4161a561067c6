import { expect, test } from "vitest";
import { queuedEvent } from "./first-event.ts";
import {
  append,
  ended,
  following,
  ids,
  keep,
  key,
  nameOf,
  open,
  reading,
  redis,
  rows,
  useStreamBench,
  writer,
  writing,
} from "./fixtures/stream-bench.ts";
import { aLog, anEnd } from "./fixtures/stream-examples.ts";
import { logKey } from "./names.ts";

useStreamBench();

const APPROVAL = { timeoutMs: 60_000, expiresAt: "2026-01-03T00:00:00.000Z", answer: null };

test.each(["0-0", "0-1", "0-7", "1-0"])(
  "who resumes behind %s, before the first event, is told a whole log from its beginning, without a gap",
  async (after) => {
    await append("1-2");
    await writer.append(key.tenantId, [anEnd(ended("1-3"))]);
    const follower = following(after);
    await follower.done;
    expect(follower.ids()).toEqual(["1-1", "1-2", "1-3"]);
    expect(follower.said[0]).toEqual(queuedEvent(key));
  },
);

test("who resumes before the first event of a trimmed log is told of the gap", async () => {
  const small = open(writing, { logEventsMax: 50 });
  for (const id of ids(1, 2, 200)) void small.append(key.tenantId, [aLog(key, id)]);
  await small.append(key.tenantId, [anEnd(ended("1-201"))]);
  const kept = (await redis.xrange(logKey(key), "-", "+")).map(([id]) => id);
  const follower = following("1-0");
  await follower.done;
  expect(follower.ids()).toEqual(["1-1", `gap 1-1 ${kept[0]}`, ...kept]);
  await small.close();
});

test("who resumes before the first event of a log that is lost is told of the gap", async () => {
  ended("1-7");
  const lost = following("1-0");
  await lost.done;
  expect(lost.ids()).toEqual(["1-1", "gap 1-1 1-7", "1-7"]);
});

test.each<[string, string[]]>([
  ["0-0", ["0-1", "0-2", "1-1", "1-2"]],
  ["0-1", ["0-2", "1-1", "1-2"]],
  ["0-2", ["1-1", "1-2"]],
  ["0-9", ["1-1", "1-2"]],
  ["1-0", ["1-1", "1-2"]],
])("of what waited for a person, who resumes behind %s is told what came behind it", async (after, told) => {
  await append("0-1", "0-2", "1-1");
  await writer.append(key.tenantId, [anEnd(ended("1-2", { approval: APPROVAL }))]);
  const follower = following(after);
  await follower.done;
  expect(follower.ids()).toEqual(told);
});

test.each(["0-1", "0-2"])(
  "of what waited for a person and lost its log, who resumes behind %s is told of the gap",
  async (after) => {
    ended("1-4", { approval: APPROVAL });
    const follower = following(after);
    await follower.done;
    expect(follower.ids()).toEqual([`gap ${after} 1-4`, "1-4"]);
  },
);

test("while the row can't be read, a resume point before the first attempt is told to be gone", async () => {
  await append("1-2", "1-3");
  const end = anEnd(ended("1-4"));
  await writer.append(key.tenantId, [end]);
  const blind = open(reading, { findExecution: () => Promise.reject(new Error("the database is away")) });
  const follower = following("0-2", blind);
  await follower.done;
  expect(follower.ids()).toEqual(["gap 0-2 1-2", "1-2", "1-3", "1-4"]);
  await blind.close();
});

test.each<[string, string, string[]]>([
  ["after some events", "1-4", ["1-1", "gap 1-1 1-4", "1-4"]],
  ["without a word, so that its row tells all", "1-3", ["1-1", "1-2", "1-3"]],
  ["in a second try", "2-5", ["1-1", "gap 1-1 2-5", "2-5"]],
  ["from outside, in its first try", "2-2", ["1-1", "gap 1-1 2-2", "2-2"]],
  ["before its first try, so that nothing is lost", "1-2", ["1-1", "1-2"]],
])("who follows from the beginning what ended %s, and has no log, is told so", async (_how, end, told) => {
  ended(end);
  const follower = following();
  await follower.done;
  expect(follower.ids()).toEqual(told);
  expect(follower.said.at(-1)).toEqual(anEnd(rows.get(nameOf(key))!));
});

test("of what waited for a person and has no log, the beginning is lost too", async () => {
  keep({ ...ended("1-2", { attempt: 0, status: "denied" }), approval: APPROVAL });
  const follower = following();
  await follower.done;
  expect(follower.ids()).toEqual(["gap 0-0 1-2", "1-2"]);
});
