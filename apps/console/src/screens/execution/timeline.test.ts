import type { ListAttemptsAnswer } from "@bulkhead/client";
import { expect, test } from "vitest";
import { hasMoreTries, placeOf, stretchesOf } from "./timeline.ts";

type Attempt = ListAttemptsAnswer["attempts"][number];

const BEGIN = Date.parse("2026-11-26T12:00:00.000Z");
const at = (ms: number): string => new Date(BEGIN + ms).toISOString();
const NOW = BEGIN + 1_000;
const usage = { cpuMs: 1, wallMs: 2, memoryPeakMib: 3, networkRequests: 0 };
const attempt = (n: number, outcome: Attempt["outcome"], from: number, to?: number): Attempt => ({
  attempt: n,
  outcome,
  usage,
  startedAt: at(from),
  ...(to !== undefined && { finishedAt: at(to) }),
});
const ended = { createdAt: at(0), finishedAt: at(500), status: "succeeded", isError: false } as const;

const told = (...asked: Parameters<typeof stretchesOf>) =>
  stretchesOf(...asked).map(({ kind, from, to, isOn, isBad }) => [
    kind,
    from - BEGIN,
    to - BEGIN,
    ...(isOn ? ["on"] : []),
    ...(isBad ? ["bad"] : []),
  ]);

test("what ran at its first try waited for its turn, and ran", () => {
  expect(told(ended, [attempt(1, "succeeded", 20, 500)], NOW)).toEqual([
    ["queue", 0, 20],
    ["run", 20, 500],
  ]);
});

test("time held back, a person's time, tries and pauses between them follow each other without a hole", () => {
  const approval = {
    approvalId: "a",
    expiresAt: at(900),
    answeredAt: at(120),
    answer: "allow_once",
  } as const;
  const tries = [attempt(1, "failed", 150, 200), attempt(2, "succeeded", 300, 480)];
  expect(told({ ...ended, notBefore: at(50), approval }, tries, NOW)).toEqual([
    ["delay", 0, 50],
    ["person", 50, 120],
    ["queue", 120, 150],
    ["run", 150, 200, "bad"],
    ["retry", 200, 300],
    ["run", 300, 480],
    ["queue", 480, 500],
  ]);
});

test("what goes on reaches until now", () => {
  const on = { createdAt: at(0), isError: false } as const;
  expect(told({ ...on, status: "running" }, [attempt(1, "running", 20)], NOW)).toEqual([
    ["queue", 0, 20],
    ["run", 20, 1_000, "on"],
  ]);
  expect(told({ ...on, status: "queued" }, [], NOW)).toEqual([["queue", 0, 1_000, "on"]]);
  const approval = { approvalId: "a", expiresAt: at(9_000) };
  expect(told({ ...on, status: "awaiting_approval", approval }, [], NOW)).toEqual([
    ["person", 0, 1_000, "on"],
  ]);
  expect(told({ ...on, status: "queued" }, [attempt(1, "failed", 20, 30)], NOW)).toEqual([
    ["queue", 0, 20],
    ["run", 20, 30, "bad"],
    ["retry", 30, 1_000, "on"],
  ]);
});

test("what ended before it ran has waited all the time, and clocks that differ make no time run back", () => {
  expect(told({ ...ended, status: "cancelled" }, [], NOW)).toEqual([["queue", 0, 500]]);
  expect(told({ ...ended, finishedAt: at(-5) }, [attempt(1, "succeeded", -3, -2)], NOW)).toEqual([
    ["run", 0, 0],
  ]);
});

test.each([
  [{ attempts: 0, status: "queued" }, false],
  [{ attempts: 1, status: "succeeded" }, false],
  [{ attempts: 2, status: "failed" }, true],
  [{ attempts: 1, status: "queued" }, true],
  [
    {
      attempts: 1,
      status: "denied",
      approval: { approvalId: "", expiresAt: "", asking: { because: "answered" } },
    },
    true,
  ],
] as const)("of %j other tries are read: %s", (execution, isMore) => {
  expect(hasMoreTries(execution)).toBe(isMore);
});

test("a stretch stands on the axis within its bounds, and is always seen", () => {
  expect(placeOf({ from: 25, to: 75 }, 0, 100)).toEqual({ left: 25, width: 50 });
  expect(placeOf({ from: 100, to: 100 }, 0, 100)).toEqual({ left: 99.6, width: 0.4 });
});
