import {
  APPROVAL_SETTINGS_DEFAULT,
  TENANT_LIMITS_DEFAULT,
  type Principal,
  type Rate,
  type RateKey,
  type RateLimiter,
  type Taken,
  Fault,
} from "@bulkhead/core";
import { NO_METER } from "@bulkhead/process/telemetry";
import fastify from "fastify";
import { expect, test, vi } from "vitest";
import { useMetrics } from "./http-metrics.ts";
import { useProblems } from "./problems.ts";
import { useRateLimit } from "./rate-limit.ts";

const OWNER: Principal = {
  role: "owner",
  keyId: "key_1",
  tenantId: "ten_1",
  agentId: null,
  limits: { ...TENANT_LIMITS_DEFAULT, requestsPerSecond: 7 },
  limitsAsOf: new Date(0),
  approval: APPROVAL_SETTINGS_DEFAULT,
};
const ADMIN: Principal = { role: "admin", keyId: "admin" };
const ALLOWED: Taken = {
  allowed: true,
  limit: 7,
  remaining: 6,
  resetMs: 143,
  retryAfterMs: 0,
  changeMark: null,
};
const REFUSED: Taken = {
  allowed: false,
  limit: 7,
  remaining: 0,
  resetMs: 120,
  retryAfterMs: 120,
  changeMark: null,
};
const POLICY = '"requests";q=7;w=1';

/** An API of a few routes, its limiter, and what that was asked and the log was told. */
function bench(take: RateLimiter["take"], principal = OWNER) {
  const app = fastify();
  const asked: { key: RateKey; rate: Rate; n: number }[] = [];
  const reports: string[] = [];
  let handled = 0;
  const rateLimiter: Pick<RateLimiter, "take"> = {
    take: (key, rate, n) => {
      asked.push({ key, rate, n });
      return take(key, rate, n);
    },
  };
  useMetrics(app, NO_METER);
  useProblems(app);
  app.decorateRequest("principal");
  app.addHook("onRequest", async (request) => void (request.principal = principal));
  const seen: unknown[] = [];
  const changes = { see: (...change: unknown[]) => void seen.push(change) };
  useRateLimit(app, { rateLimiter, changes, report: (what) => reports.push(what) });
  app.get("/read", () => ({ handled: ++handled }));
  app.post("/run", { config: { needsRedis: true } }, () => ({ handled: ++handled }));
  app.post("/bounded", () => {
    throw new Fault("session.rate_limited", {
      retryAfterSeconds: 9,
      quotas: [{ name: "session-calls", limit: 30, windowSeconds: 60, remaining: 0, resetSeconds: 9 }],
    });
  });
  app.get("/forbidden", { onRequest: () => Promise.reject(new Fault("auth.forbidden")) }, () => ({}));
  return { app, asked, seen, reports, handled: () => handled };
}

test("a refusal is held back for a moment, and nothing else is", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { app } = bench(() => Promise.resolve(REFUSED));
  let status: number | null = null;
  const refused = app.inject("/read").then(({ statusCode }) => (status = statusCode));
  while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(status).toBeNull();
  await vi.runAllTimersAsync();
  expect(await refused).toBe(429);
  expect((await bench(() => Promise.resolve(ALLOWED)).app.inject("/read")).statusCode).toBe(200);
  vi.useRealTimers();
});

test("each request takes one of the tenant's rate, and the answer tells what is left", async () => {
  const { app, asked } = bench(() => Promise.resolve(ALLOWED));
  const { statusCode, headers } = await app.inject("/read");
  expect(statusCode).toBe(200);
  expect(headers).toMatchObject({ "ratelimit-policy": POLICY, ratelimit: '"requests";r=6;t=1' });
  expect(asked).toEqual([
    { key: { tenantId: "ten_1", name: "requests" }, rate: { count: 7, perMs: 1_000, burst: 7 }, n: 1 },
  ]);
});

test("what the tenant's latest change is marked with is shown before the request is handled", async () => {
  const { app, seen } = bench(() => Promise.resolve({ ...ALLOWED, changeMark: "m" }));
  app.get("/seen", () => [...seen]);
  expect((await app.inject("/seen")).json()).toEqual([["ten_1", "m"]]);
});

test("over the rate nothing is handled, and the answer tells when to come back", async () => {
  const { app, handled } = bench(() => Promise.resolve(REFUSED));
  const answer = await app.inject("/read");
  expect(answer.statusCode).toBe(429);
  expect(answer.headers).toMatchObject({
    "retry-after": "1",
    "ratelimit-policy": POLICY,
    ratelimit: '"requests";r=0;t=1',
  });
  expect(answer.headers["content-type"]).toContain("application/problem+json");
  expect(answer.json()).toMatchObject({ code: "tenant.rate_limited", retryable: true });
  expect(handled()).toBe(0);
});

test("an administrator's key has no limit", async () => {
  const { app, asked } = bench(() => Promise.resolve(REFUSED), ADMIN);
  const { statusCode, headers } = await app.inject("/read");
  expect(statusCode).toBe(200);
  expect(headers["ratelimit"]).toBeUndefined();
  expect(asked).toEqual([]);
});

test("what is refused for another reason, before or after its body, counts and is told once", async () => {
  const { app, asked } = bench(() => Promise.resolve(ALLOWED));
  const forbidden = await app.inject("/forbidden");
  const json = { "content-type": "application/json" };
  const garbled = await app.inject({ method: "POST", url: "/run", headers: json, body: "{" });
  expect([forbidden.statusCode, garbled.statusCode]).toEqual([403, 400]);
  for (const { headers } of [forbidden, garbled]) expect(headers["ratelimit-policy"]).toBe(POLICY);
  expect(asked).toHaveLength(2);
});

test("a fault's own quotas are told beside the tenant's", async () => {
  const { app } = bench(() => Promise.resolve(ALLOWED));
  const { headers } = await app.inject({ method: "POST", url: "/bounded" });
  expect(headers).toMatchObject({
    "retry-after": "9",
    "ratelimit-policy": `${POLICY}, "session-calls";q=30;w=60`,
    ratelimit: '"requests";r=6;t=1, "session-calls";r=0;t=9',
  });
});

test("where nobody can tell, reads go on with one report, and what needs Redis is refused with a time to wait", async () => {
  const { app, reports, handled } = bench(() =>
    Promise.reject(new Fault("service.unavailable", { retryAfterSeconds: 1 })),
  );
  for (let i = 0; i < 3; i++) expect((await app.inject("/read")).statusCode).toBe(200);
  expect(reports).toHaveLength(1);
  const refused = await app.inject({ method: "POST", url: "/run" });
  expect(refused.statusCode).toBe(503);
  expect(refused.headers["retry-after"]).toBe("1");
  expect(handled()).toBe(3);
});

test("a read does not wait for a limiter that says nothing", async () => {
  const { app, reports } = bench(() => new Promise(() => undefined));
  expect((await app.inject("/read")).statusCode).toBe(200);
  expect(reports).toHaveLength(1);
});
