import {
  TENANT_LIMITS_DEFAULT,
  type Fault,
  type Rate,
  type RateKey,
  type RateLimiter,
  type Taken,
} from "@bulkhead/core";
import { expect, test } from "vitest";
import { takeSessionCall } from "./session-calls.ts";

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

const take = (
  limiter: Pick<RateLimiter, "take">,
  sessionKey: string | undefined,
  { tenantId = "ten_a", perMinute = 30 } = {},
): Promise<void> => {
  const limits = { ...TENANT_LIMITS_DEFAULT, sessionCallsPerMinute: perMinute };
  return takeSessionCall(limiter, { tenantId, limits }, sessionKey === undefined ? {} : { sessionKey });
};

test("calls within the rate pass", async () => {
  const limiter = answering({});
  await take(limiter, "s1");
  expect(limiter.asked).toMatchObject([{ rate: { count: 30, perMs: 60_000, burst: 30 }, n: 1 }]);
});

test("0 calls per minute means any number, as no session does, and nobody is asked", async () => {
  const limiter = refusing(1);
  await take(limiter, "s1", { perMinute: 0 });
  await take(limiter, undefined);
  expect(limiter.asked).toEqual([]);
});

test("a refusal tells a model what to do, for how long to wait, and what is left", async () => {
  const fault = await faultOf(take(refusing(11_001), "s1"));
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
  expect((await faultOf(take(refusing(3), "s1"))).retryAfterSeconds).toBe(1);
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
    await take(limiter, session, { tenantId });
  }
  const names = limiter.asked.map(({ key }) => key.name);
  for (const name of names) expect(name).toMatch(/^session:[\w-]{43}$/u);
  expect(new Set(names).size).toBe(3);
  expect(names[3]).toBe(names[0]);
});
