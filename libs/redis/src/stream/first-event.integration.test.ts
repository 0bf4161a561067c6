import type { Execution } from "@bulkhead/core";
import { until } from "@bulkhead/testing";
import { describe, expect, test } from "vitest";
import { queuedEvent } from "./first-event.ts";
import {
  append,
  ended,
  following,
  key,
  keep,
  listens,
  nameOf,
  open,
  reading,
  redis,
  rows,
  useStreamBench,
  writer,
} from "./fixtures/stream-bench.ts";
import { anEnd } from "./fixtures/stream-examples.ts";
import { logKey, tailKey } from "./names.ts";

useStreamBench();

const APPROVAL = { timeoutMs: 60_000, expiresAt: "2026-01-03T00:00:00.000Z", answer: null };

test("that it was queued is said first, before anything is logged and ahead of what is", async () => {
  const early = following();
  await until(() => early.said.length === 1, { what: "the first event is said" });
  expect(early.said).toEqual([queuedEvent(key)]);
  await append("1-2");
  const late = following();
  await until(() => late.said.length === 2, { what: "the log is read" });
  await writer.append(key.tenantId, [anEnd(ended("1-3"))]);
  await Promise.all([early.done, late.done]);
  for (const { ids, said } of [early, late]) {
    expect(ids()).toEqual(["1-1", "1-2", "1-3"]);
    expect(said[0]).toEqual(queuedEvent(key));
  }
});

test("the first event tells when the execution's id was made", () => {
  const at = new Date("2026-01-02T03:04:05.678Z");
  const executionId = `exe_${at.getTime().toString(16).padStart(12, "0")}7000800000000000000a`;
  expect(queuedEvent({ tenantId: "ten_1", executionId })).toMatchObject({ at: at.toISOString() });
});

test("who resumes behind the first event misses nothing, and is told of nothing missing", async () => {
  await append("1-2");
  const resumed = following("1-1");
  await until(() => resumed.said.length === 1, { what: "the log is read" });
  await writer.append(key.tenantId, [anEnd(ended("2-2"))]);
  await resumed.done;
  expect(resumed.ids()).toEqual(["1-2", "2-2"]);
});

test("who resumes behind the first event where the first attempt's log is lost is told of the gap", async () => {
  await append("2-1");
  await writer.append(key.tenantId, [anEnd(ended("2-2"))]);
  const resumed = following("1-1");
  await resumed.done;
  expect(resumed.ids()).toEqual(["gap 1-1 2-1", "2-1", "2-2"]);
});

test("of what waits for a person nothing is said but what its log says", async () => {
  keep({ ...key, status: "awaiting_approval" });
  const follower = following();
  await append("0-1", "0-2");
  await until(() => follower.said.length === 2, { what: "the log is read" });
  await writer.append(key.tenantId, [anEnd(ended("1-2", { approval: APPROVAL, attempt: 0 }))]);
  await follower.done;
  expect(follower.ids()).toEqual(["0-1", "0-2", "1-2"]);
});

test("a wait that began in an attempt is a part of it, behind the first event", async () => {
  const asked = { ...APPROVAL, asking: { because: "answered" } } as const;
  keep({ ...key, status: "awaiting_approval", approval: asked });
  await writer.append(key.tenantId, [
    {
      ...queuedEvent(key),
      type: "execution.awaiting_approval",
      id: "1-2",
      approvalId: "apr_1",
      expiresAt: "",
    },
  ]);
  const follower = following();
  const resumed = following("0-1");
  await until(() => follower.said.length === 2, { what: "the log is read" });
  await writer.append(key.tenantId, [anEnd(ended("2-2", { approval: asked }))]);
  await Promise.all([follower.done, resumed.done]);
  for (const { ids } of [follower, resumed]) expect(ids()).toEqual(["1-1", "1-2", "2-2"]);
});

test("who resumes behind the first event and finds it cancelled while it was queued misses nothing", async () => {
  await writer.append(key.tenantId, [anEnd(ended("1-2", { attempt: 0 }))]);
  const resumed = following("1-1");
  await resumed.done;
  expect(resumed.ids()).toEqual(["1-2"]);
});

test("where the log is gone, who resumes behind the first event of what was tried again is told of the gap", async () => {
  ended("2-5");
  const resumed = following("1-1");
  await resumed.done;
  expect(resumed.ids()).toEqual(["gap 1-1 2-5", "2-5"]);
});

test("what comes live before the row could be read is told behind the first event", async () => {
  const blind = open(reading, { findExecution: () => Promise.reject(new Error("the database is away")) });
  const follower = following(null, blind);
  await listens();
  await append("1-2");
  await until(() => follower.said.length === 2, { what: "it is told" });
  await writer.append(key.tenantId, [anEnd(ended("1-3"))]);
  await follower.done;
  expect(follower.ids()).toEqual(["1-1", "1-2", "1-3"]);
  await blind.close();
});

test("a row that ended just now is not believed before its log came, in however many pieces", async () => {
  const end = anEnd(ended("1-21", { finishedAt: new Date() }));
  let looks = 0;
  const looking = open(reading, {
    findExecution: async (wanted) => {
      looks += 1;
      return rows.get(nameOf(wanted)) ?? null;
    },
  });
  const follower = following(null, looking);
  await until(() => looks > 0, { what: "the row is looked at" });
  expect(follower.said).toEqual([]);
  for (let n = 2; n <= 20; n += 1) await append(`1-${n}`);
  await writer.append(key.tenantId, [end]);
  await follower.done;
  expect(follower.ids()).toEqual(Array.from({ length: 21 }, (_, n) => `1-${n + 1}`));
  await looking.close();
});

describe("a first attempt that said nothing between its start and its end", () => {
  const tell = async (more: Partial<Execution> = {}) => {
    const end = anEnd(ended("1-3", more));
    const started = { ...end, type: "execution.started" as const, id: "1-2", execution: undefined };
    await writer.append(key.tenantId, [started, end]);
    return end;
  };

  test("is told who listens, and leaves no log", async () => {
    const follower = following();
    await listens();
    const end = await tell();
    await follower.done;
    expect(follower.ids()).toEqual(["1-1", "1-2", "1-3"]);
    expect(follower.said.at(-1)).toEqual(end);
    expect(await redis.exists(logKey(key), tailKey(key))).toBe(0);
  });

  test.each<[string | null, string[]]>([
    [null, ["1-1", "1-2", "1-3"]],
    ["1-1", ["1-2", "1-3"]],
    ["1-2", ["1-3"]],
    ["1-3", []],
  ])("is told whole to who comes later behind %s, from its row", async (after, told) => {
    const end = await tell();
    const follower = following(after);
    await follower.done;
    expect(follower.ids()).toEqual(told);
    const started = follower.said.find(({ type }) => type === "execution.started");
    if (told.includes("1-2"))
      expect(started).toMatchObject({ attempt: 1, at: end.execution?.startedAt?.toISOString() });
  });

  test("is told once, in order, where it first waited for a person", async () => {
    keep({ ...key, status: "awaiting_approval" });
    const follower = following();
    await append("0-1", "0-2", "1-1");
    await until(() => follower.said.length === 3, { what: "the log is read" });
    await tell({ approval: APPROVAL });
    await follower.done;
    expect(follower.ids()).toEqual(["0-1", "0-2", "1-1", "1-2", "1-3"]);
    const late = following();
    await late.done;
    expect(late.ids()).toEqual(["0-1", "0-2", "1-1", "1-2", "1-3"]);
  });
});
