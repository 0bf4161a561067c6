import type { RunNews, RunNewsLoss } from "@bulkhead/core";
import { expect, test } from "vitest";
import { announcementsOf, FollowedTenants } from "./followed-tenants.ts";
import { RunFollower } from "./run-follower.ts";
import { decodeRuns, encodeRuns } from "./run-message.ts";
import { RunOutbox } from "./run-outbox.ts";
import * as names from "./tenant-events-names.ts";

const news = (toolName: string, agentId?: string): RunNews => ({
  type: "execution.started",
  at: "2026-01-02T03:04:05.678Z",
  data: {
    executionId: "exe_1",
    toolName,
    toolVersion: 1,
    attempt: 1,
    source: "rest",
    ...(agentId !== undefined && { agentId }),
  },
});
const many = (count: number, from = 0) => Array.from({ length: count }, (_, n) => news(`tool_${from + n}`));

function outbox() {
  const sent: [string, ReturnType<typeof decodeRuns>][] = [];
  const counted = { dropped: 0 };
  const box = new RunOutbox(
    (tenantId, text) => sent.push([tenantId, decodeRuns(text)]),
    (count) => void (counted.dropped += count),
  );
  return { box, sent, counted };
}

test("news of one moment travel together, and what is too much of them is counted", () => {
  const { box, sent, counted } = outbox();
  const all = many(names.RUNS_WAITING_OF_TENANT_MAX + 5);
  for (const one of all) box.put("ten_a", () => one);
  box.put("ten_b", () => news("other"));
  box.flush();
  expect(sent).toEqual([
    ["ten_a", { news: all.slice(0, names.RUNS_WAITING_OF_TENANT_MAX), dropped: 5 }],
    ["ten_b", { news: [news("other")], dropped: 0 }],
  ]);
  box.flush();
  expect(sent).toHaveLength(2);
  expect(counted.dropped).toBe(5);
});

test("one tenant's flood leaves room for others, and all tenants together are bounded", () => {
  const { box, sent } = outbox();
  const tenants = names.RUNS_WAITING_MAX / names.RUNS_WAITING_OF_TENANT_MAX;
  for (let tenant = 0; tenant <= tenants; tenant += 1)
    for (let n = 0; n < names.RUNS_WAITING_OF_TENANT_MAX; n += 1) box.put(`ten_${tenant}`, () => news("one"));
  box.flush();
  const told = sent.map(([, message]) => message?.news.length);
  expect(told).toEqual([...Array.from({ length: tenants }, () => names.RUNS_WAITING_OF_TENANT_MAX), 0]);
  expect(sent.at(-1)?.[1]?.dropped).toBe(names.RUNS_WAITING_OF_TENANT_MAX);
});

test("the longest agent's id fits; what is longer than news can be is dropped", () => {
  const { box, sent } = outbox();
  const longest = news("t".repeat(64), "\u0001".repeat(200));
  box.put("ten_a", () => longest);
  box.put("ten_a", () => news("t".repeat(names.RUN_CHARS_MAX)));
  box.flush();
  expect(sent).toEqual([["ten_a", { news: [longest], dropped: 1 }]]);
});

test.each([
  ["no JSON", "{"],
  ["no object", "null"],
  ["no news", '{"dropped":0}'],
  ["a count below 0", '{"dropped":-1,"news":[]}'],
  [
    "too many",
    encodeRuns(
      Array.from({ length: names.RUNS_WAITING_OF_TENANT_MAX + 1 }, () => "1"),
      0,
    ),
  ],
  ["too long a text", `{"dropped":0,"news":[]}${" ".repeat(names.RUNS_MESSAGE_CHARS_MAX)}`],
])("%s is no message", (_what, text) => {
  expect(decodeRuns(text)).toBeNull();
});

test("news of a newer version are passed over", () => {
  const newer = JSON.stringify({ ...news("one"), type: "execution.paused" });
  const text = encodeRuns([newer, JSON.stringify(news("two"))], 3);
  expect(decodeRuns(text)).toEqual({ news: [news("two")], dropped: 3 });
});

test("a tenant is followed for some time after it was named", () => {
  let now = 0;
  const followed = new FollowedTenants(() => now);
  followed.hear("ten_a ten_b");
  expect([followed.has("ten_a"), followed.has("ten_b"), followed.has("ten_c")]).toEqual([true, true, false]);
  now = names.FOLLOWED_MS - 1;
  followed.hear("ten_b");
  now = names.FOLLOWED_MS;
  expect([followed.has("ten_a"), followed.has("ten_b")]).toEqual([false, true]);
});

test("a text that is too long names nobody; of too many tenants those named last are kept", () => {
  const followed = new FollowedTenants(() => 0);
  followed.hear(`ten_a ${"x".repeat(names.ANNOUNCED_CHARS_MAX)}`);
  expect(followed.has("ten_a")).toBe(false);
  const all = Array.from({ length: names.FOLLOWED_TENANTS_MAX + 1 }, (_, n) => `ten_${n}`);
  for (const text of announcementsOf(all)) {
    expect(text.length).toBeLessThanOrEqual(names.ANNOUNCED_CHARS_MAX);
    followed.hear(text);
  }
  expect([followed.has("ten_0"), followed.has("ten_1")]).toEqual([false, true]);
});

test("a follower that is slow loses what is too much, and is told of it behind what it holds", async () => {
  let missed = 0;
  const follower = new RunFollower((count) => void (missed += count));
  const all = many(names.RUNS_HELD_MAX + 10);
  for (let from = 0; from < all.length; from += 50)
    follower.take({ news: all.slice(from, from + 50), dropped: 1 });
  const stopping = new AbortController();
  const told: (RunNews | RunNewsLoss)[] = [];
  for await (const one of follower.read(stopping.signal)) {
    told.push(one);
    if (one.type === "execution.dropped") stopping.abort();
  }
  const messages = Math.ceil(all.length / 50);
  expect(told).toEqual([
    ...all.slice(0, names.RUNS_HELD_MAX),
    { type: "execution.dropped", count: 10 + messages },
  ]);
  // What its senders dropped, they have counted.
  expect(missed).toBe(10);
});

test("where messages were lost, the follower is told without a count", async () => {
  const follower = new RunFollower(() => undefined);
  follower.take({ news: [], dropped: 2 });
  follower.missedSome();
  const read = follower.read(new AbortController().signal);
  expect((await read.next()).value).toEqual({ type: "execution.dropped" });
  await read.return();
});
