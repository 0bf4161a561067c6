import { RevocableCache } from "@bulkhead/process";
import {
  APPROVAL_SETTINGS_DEFAULT,
  TENANT_LIMITS_DEFAULT,
  type Taken,
  type TenantPrincipal,
} from "@bulkhead/core";
import { Secret } from "@bulkhead/process/settings";
import { NO_METER } from "@bulkhead/process/telemetry";
import { createAccessToken, hashApiKey, type SessionDeps } from "@bulkhead/tenants";
import { openAccessKeys } from "@bulkhead/tenants/vault";
import fastify, { type FastifyInstance, type InjectOptions } from "fastify";
import { randomBytes } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { type AccessDeps, useAuthentication, usePermissions } from "../../edge/authentication.ts";
import { useMetrics } from "../../edge/http-metrics.ts";
import { useProblems } from "../../edge/problems.ts";
import { useRateLimit } from "../../edge/rate-limit.ts";
import { validatorCompiler } from "../../edge/validate.ts";
import { sessionRoutes } from "./sessions.ts";

const KEY = "bh_some_key";
const OWN = { origin: "http://bulkhead.example", "x-bulkhead-session": "1" };
const taken: Taken = { allowed: true, limit: 9, remaining: 8, resetMs: 1, retryAfterMs: 0, changeMark: null };

let app: FastifyInstance;
let access: AccessDeps & SessionDeps;
let room: Taken;

beforeEach(async () => {
  room = taken;
  const codes = new Map<string, string>();
  const find = async () =>
    ({
      key: { id: "key_1", role: "owner", agentId: null },
      tenant: {
        id: "ten_1",
        limits: TENANT_LIMITS_DEFAULT,
        updatedAt: new Date(0),
        settings: { approval: APPROVAL_SETTINGS_DEFAULT },
      },
      goodUntil: null,
    }) as never;
  access = {
    apiKeys: { find, findByHash: async (hash) => (hash === hashApiKey(KEY) ? find() : null) },
    principals: new RevocableCache<TenantPrincipal>({ entriesMax: 10, ttlMs: 60_000, trusted: () => true }),
    adminKeyHash: null,
    accessKeys: openAccessKeys({ current: new Secret(randomBytes(32).toString("base64")), old: [] }),
    keyUses: { saw: () => undefined },
    clock: () => new Date(),
    policies: { of: async () => null },
    loginCodes: {
      keep: async (code, key) => void codes.set(code, key),
      take: async (code) => {
        const key = codes.get(code) ?? null;
        codes.delete(code);
        return key;
      },
    },
  };
  const rateLimit = {
    rateLimiter: { take: async () => room },
    changes: { see: () => undefined },
    report: () => undefined,
  };
  app = fastify();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(() => JSON.stringify);
  useMetrics(app, NO_METER);
  useProblems(app);
  await app.register(async (scope) => sessionRoutes(scope.withTypeProvider(), { access, rateLimit }));
  await app.register(async (scope) => {
    useAuthentication(scope, access);
    useRateLimit(scope, rateLimit);
    usePermissions(scope);
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"])
      scope.route({ method, url: "/thing", handler: ({ principal }) => principal.keyId });
    const handler = ({ principal }: { principal: object }) => JSON.stringify(principal);
    scope.get("/read", { config: { operation: "read" } }, handler);
    scope.get("/follow", { config: { operation: "stream", takesTokenInQuery: true } }, handler);
  });
});

const ask = (options: InjectOptions) =>
  app.inject({ ...options, headers: { host: "bulkhead.example", ...options.headers } });
const begin = (headers = {}, key = KEY) =>
  ask({ method: "POST", url: "/session", payload: { key }, headers });
const cookieOf = async (): Promise<string> =>
  String((await begin()).headers["set-cookie"]).split(";")[0] ?? "";

test("a key is exchanged for a cookie that scripts don't see and other sites don't have sent", async () => {
  const { statusCode, headers, body } = await begin();
  expect([statusCode, body, headers["cache-control"]]).toEqual([204, "", "no-store"]);
  expect(headers["set-cookie"]).toMatch(
    /^bulkhead_session=[\w.-]{100,300}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/,
  );
  const https = await begin({ origin: "https://bulkhead.example" });
  expect(https.headers["set-cookie"]).toMatch(/; SameSite=Strict; Secure$/);
  expect(JSON.stringify(headers)).not.toContain(hashApiKey(KEY));
});

test("no session is begun by an unknown key, from another site's page, or over the tenant's limit", async () => {
  expect((await begin({}, "bh_other")).json()).toMatchObject({ status: 401, code: "auth.invalid_key" });
  expect((await begin({ origin: "https://evil.example" })).json()).toMatchObject({ code: "session.forgery" });
  expect((await begin({ origin: "null" })).json()).toMatchObject({ status: 403, code: "session.forgery" });
  room = { ...taken, allowed: false, retryAfterMs: 500 };
  const { statusCode, headers } = await begin();
  expect([statusCode, headers["set-cookie"], headers["retry-after"]]).toEqual([429, undefined, "1"]);
  for (const payload of [{}, { key: "" }, { key: "k".repeat(4_097) }, { key: KEY, more: 1 }])
    expect((await ask({ method: "POST", url: "/session", payload })).statusCode).toBe(400);
});

test("a login code begins one session of its key, and no second one", async () => {
  const made = await ask({ method: "POST", url: "/session/codes", payload: { key: KEY } });
  expect(made.statusCode).toBe(201);
  const { code } = made.json().data;
  expect(code).toMatch(/^bhl_[\w-]{43}$/);
  const exchange = (payload: object) => ask({ method: "POST", url: "/session", payload });
  expect((await exchange({ code, key: KEY })).statusCode).toBe(400);
  const { statusCode, headers } = await exchange({ code });
  expect(statusCode).toBe(204);
  const [cookie] = String(headers["set-cookie"]).split(";");
  expect((await ask({ url: "/thing", headers: { cookie } })).body).toBe("key_1");
  for (const payload of [{ code }, { code: "bhl_other" }, { code: KEY }])
    expect((await exchange(payload)).json()).toMatchObject({ status: 401, code: "auth.invalid_code" });
});

test("no login code is made with an unknown key, or from another site's page", async () => {
  const make = async (key: string, headers = {}) =>
    (await ask({ method: "POST", url: "/session/codes", payload: { key }, headers })).json().code;
  expect(await make("bh_other")).toBe("auth.invalid_key");
  expect(await make(KEY, { origin: "https://evil.example" })).toBe("session.forgery");
});

test("a session reads as its key, among other cookies too", async () => {
  const cookie = await cookieOf();
  for (const sent of [cookie, `theme=dark; ${cookie}; x=1`, `x=1;${cookie}`])
    expect((await ask({ url: "/thing", headers: { cookie: sent } })).body).toBe("key_1");
  expect((await ask({ url: "/thing", headers: { cookie: `other_${cookie}` } })).json()).toMatchObject({
    status: 401,
    code: "auth.required",
  });
});

test.each(["POST", "PUT", "PATCH", "DELETE"] as const)(
  "with a session, %s needs the header and an origin of this host",
  async (method) => {
    const cookie = await cookieOf();
    const send = async (headers: Record<string, string>) => {
      const answer = await ask({ method, url: "/thing", headers: { cookie, ...headers } });
      return answer.statusCode === 200 ? answer.body : answer.json().code;
    };
    expect(await send(OWN)).toBe("key_1");
    const forged = [
      {},
      { origin: OWN.origin },
      { "x-bulkhead-session": "1" },
      { ...OWN, "x-bulkhead-session": "true" },
      { ...OWN, origin: "http://evil.example" },
      { ...OWN, origin: "http://bulkhead.example.evil.example" },
      { ...OWN, origin: "http://bulkhead.example:8080" },
      { ...OWN, origin: "null" },
      { ...OWN, origin: "" },
      { ...OWN, origin: "bulkhead.example" },
      { ...OWN, origin: "file://" },
    ];
    for (const headers of forged)
      expect(await send(headers), JSON.stringify(headers)).toBe("session.forgery");
    expect(await send({ authorization: `Bearer ${KEY}` })).toBe("key_1");
    expect(await send({ authorization: "Bearer other", ...OWN })).toBe("auth.invalid_key");
  },
);

test.each([
  ["http://bulkhead.example", "bulkhead.example:80"],
  ["https://bulkhead.example", "bulkhead.example:443"],
  ["http://127.0.0.1:3000", "127.0.0.1:3000"],
  ["http://[::1]:3000", "[::1]:3000"],
  ["https://Bulkhead.example", "bulkhead.EXAMPLE"],
])("the origin %s is of the host %s", async (origin, host) => {
  const headers = { cookie: await cookieOf(), ...OWN, origin, host };
  expect((await ask({ method: "POST", url: "/thing", headers })).body).toBe("key_1");
});

test("a session is ended by its own page alone, and by who has none", async () => {
  const cookie = await cookieOf();
  const end = (headers = {}) => ask({ method: "DELETE", url: "/session", headers });
  expect((await end({ cookie })).json().code).toBe("session.forgery");
  const { statusCode, headers } = await end({ cookie, ...OWN });
  expect([statusCode, headers["set-cookie"]]).toEqual([
    204,
    "bulkhead_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict",
  ]);
  expect((await end()).statusCode).toBe(204);
});

const tokenOf = async (operations: ("read" | "stream")[]): Promise<string> => {
  const principal = { role: "owner", keyId: "key_1", tenantId: "ten_1" } as TenantPrincipal;
  const audit = { record: async () => undefined };
  const scope = { operations, executions: ["exe_1"] };
  return (await createAccessToken({ access, audit }, principal, { scope, expiresInSeconds: 60 })).token;
};

test("a token opens the routes that name an operation of it, and no other", async () => {
  const authorization = `Bearer ${await tokenOf(["read"])}`;
  const code = async (url: string) => (await ask({ url, headers: { authorization } })).json().code;
  expect(await code("/read")).toBeUndefined();
  expect(await code("/follow")).toBe("access_token.out_of_scope");
  expect(await code("/thing")).toBe("access_token.out_of_scope");
});

test("what a token may not do counts against the tenant's requests, as what a key may not", async () => {
  const authorization = `Bearer ${await tokenOf(["read"])}`;
  const { statusCode, headers } = await ask({ url: "/thing", headers: { authorization } });
  expect([statusCode, headers["ratelimit"]]).toEqual([403, expect.stringContaining("r=8")]);
});

test("a token stands in the address of the one route that takes it there, and is in no answer", async () => {
  const token = await tokenOf(["read", "stream"]);
  const query = `?access_token=${token}`;
  expect((await ask({ url: `/follow${query}` })).json()).toMatchObject({ keyId: "key_1" });
  const refusals = [
    await ask({ url: `/read${query}` }),
    await ask({ url: `/nowhere${query}` }),
    await ask({ url: `/follow${query}x` }),
    await ask({ url: `/follow${query}&access_token=${token}` }),
    await ask({ url: `/follow?access_token=${KEY}` }),
    await ask({ url: `/follow?access_token=` }),
    await ask({ url: `/follow${query}`, headers: { authorization: "Bearer other" } }),
  ];
  expect(refusals.map(({ statusCode }) => statusCode)).toEqual([401, 404, 401, 401, 401, 401, 401]);
  for (const { body } of refusals) expect(body).not.toContain("access_token");
});
