import type { Rate, RateKey, Taken, Fault } from "@bulkhead/core";
import { expect, test } from "vitest";
import { takeSessionCalls } from "./session-calls.ts";

const ALLOWED: Taken = {
  allowed: true,
  limit: 30,
  remaining: 29,
  resetMs: 2_000,
  retryAfterMs: 0,
  changeMark: null,
};

/** A limiter that always gives this answer, and what it was asked. */
function answering(answer: Partial<Taken>) {
  const asked: { key: RateKey; rate: Rate; n: number }[] = [];
  const take = (key: RateKey, rate: Rate, n: number) => {
    asked.push({ key, rate, n });
    return Promise.resolve({ ...ALLOWED, ...answer });
  };
  return { take, asked };
}
const refusing = (retryAfterMs: number | null) =>
  answering({ allowed: false, remaining: 0, resetMs: 1_200, retryAfterMs });
const faultOf = (pending: Promise<void>): Promise<Fault> =>
  pending.then(
    () => Promise.reject(new Error("nothing was refused")),
    (error: Fault) => error,
  );

test("calls within the rate pass", async () => {
  const limiter = answering({});
  await takeSessionCalls(limiter, "ten_a", "s1", 30, 2);
  expect(limiter.asked).toMatchObject([{ rate: { count: 30, perMs: 60_000, burst: 30 }, n: 2 }]);
});

test("0 calls per minute means any number, and nobody is asked", async () => {
  const limiter = refusing(1);
  await takeSessionCalls(limiter, "ten_a", "s1", 0, 5);
  expect(limiter.asked).toEqual([]);
});

test("a refusal tells a model what to do, for how long to wait, and what is left", async () => {
  const fault = await faultOf(takeSessionCalls(refusing(11_001), "ten_a", "s1", 30, 1));
  expect(fault).toMatchObject({ code: "session.rate_limited", status: 429, retryable: true });
  expect(fault.retryAfterSeconds).toBe(12);
  expect(fault.detail).toContain("30 tool calls per minute");
  expect(fault.detail).toContain("nothing was run");
  expect(fault.detail).toContain("Wait 12 s");
  expect(fault.quotas).toEqual([
    { name: "session-calls", limit: 30, windowSeconds: 60, remaining: 0, resetSeconds: 2 },
  ]);
});

test("a wait below a second is told as one", async () => {
  expect((await faultOf(takeSessionCalls(refusing(3), "ten_a", "s1", 30, 1))).retryAfterSeconds).toBe(1);
});

test("more calls at once than a minute allows are told apart: waiting would not help", async () => {
  const fault = await faultOf(takeSessionCalls(refusing(null), "ten_a", "s1", 30, 50));
  expect(fault.detail).toContain("Make at most 30 at a time");
  expect(fault.detail).not.toContain("Wait");
});

test("a session key reaches the store as a short digest, and each tenant's differs", async () => {
  const limiter = answering({});
  const hostile = `mallory@example.com}{:*\n${"x".repeat(10_000)}`;
  for (const [tenantId, session] of [
    ["ten_a", hostile],
    ["ten_b", hostile],
    ["ten_a", "other"],
    ["ten_a", hostile],
  ] as const) {
    await takeSessionCalls(limiter, tenantId, session, 30, 1);
  }
  const names = limiter.asked.map(({ key }) => key.name);
  for (const name of names) expect(name).toMatch(/^session:[\w-]{43}$/u);
  expect(new Set(names).size).toBe(3);
  expect(names[3]).toBe(names[0]);
});
