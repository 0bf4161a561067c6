import { apiBeside, isNightly, sharedProduct, until } from "@bulkhead/testing";
import { expect, test } from "vitest";
import { Client, createTool, newTenant, type Answer } from "../support/client.ts";

const TOOLS = "/api/v1/custom-tools";

const product = await sharedProduct();
const admin = new Client(product.url, product.adminKey);

const tenant = (limits: Record<string, number> = {}) => newTenant(product, limits);
const atOnce = (n: number, call: () => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: n }, call));

/** What can be done without Redis goes on untold and unlimited where that answers late: then it is asked again. */
const told = (call: () => Promise<Answer>): Promise<Answer> =>
  until(
    async () => {
      const answer = await call();
      return answer.headers.has("ratelimit") ? answer : undefined;
    },
    { what: "what is left is told" },
  );

test("[R35] over requestsPerSecond a tenant gets 429 with all a client needs to come back, and another tenant notices nothing", async () => {
  const { owner: flooding } = await tenant({ requestsPerSecond: 5 });
  const { owner: quiet } = await tenant();
  const answers: Answer[] = [];
  await until(
    async () => {
      // More than the burst and what a slow second brings on top.
      answers.push(...(await atOnce(60, () => flooding.get(TOOLS))));
      return answers.some(({ status }) => status === 429);
    },
    { what: "one is refused" },
  );
  const refused = answers.find(({ status }) => status === 429);
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(5);
  expect(refused?.body).toMatchObject({
    type: "urn:bulkhead:problem:tenant.rate_limited",
    status: 429,
    code: "tenant.rate_limited",
    retryable: true,
    success: false,
    detail: expect.stringContaining("5 requests in a second"),
  });
  expect(refused?.headers.get("content-type")).toContain("application/problem+json");
  expect(refused?.headers.get("retry-after")).toBe("1");
  expect(refused?.headers.get("ratelimit-policy")).toBe('"requests";q=5;w=1');
  expect(refused?.headers.get("ratelimit")).toBe('"requests";r=0;t=1');

  const calm = await told(() => quiet.get(TOOLS));
  expect(calm.status).toBe(200);
  expect(calm.headers.get("ratelimit")).toBe('"requests";r=199;t=1');
});

test("every answer to a tenant tells what is left, a stream and a refusal too; the administrator has no limit", async () => {
  const { owner } = await tenant();
  await createTool(owner, "one", "return 1;");
  const policy = '"requests";q=200;w=1';
  for (const { headers } of [
    await told(() => owner.get(TOOLS)),
    await told(() => owner.get(`${TOOLS}/no_such_tool`)),
    await told(() => owner.get("/api/v1/tenants")),
    await told(() => owner.raw("POST", TOOLS, "{", { "content-type": "application/json" })),
    await owner.post(`${TOOLS}/one/execute`, { mode: "async" }),
  ]) {
    expect(headers.get("ratelimit-policy")).toBe(policy);
    expect(headers.get("ratelimit")).toMatch(/^"requests";r=\d+;t=\d+$/u);
  }
  const stream = await fetch(`${product.url}${TOOLS}/one/execute`, {
    method: "POST",
    headers: { authorization: `Bearer ${owner.key}`, "content-type": "application/json" },
    body: JSON.stringify({ mode: "stream" }),
  });
  await stream.text();
  expect(stream.headers.get("content-type")).toContain("text/event-stream");
  expect(stream.headers.get("ratelimit-policy")).toBe(policy);

  expect((await admin.get("/api/v1/tenants")).headers.get("ratelimit")).toBeNull();
  expect((await new Client(product.url, null).get(TOOLS)).headers.get("ratelimit")).toBeNull();
});

test("[R1] a changed limit holds for the tenant's next requests", async () => {
  // At one API, which knows of it at once.
  const url = await apiBeside();
  const { id, owner } = await newTenant({ url, adminKey: product.adminKey });
  const policy = async () => (await told(() => owner.get(TOOLS))).headers.get("ratelimit-policy");
  expect(await policy()).toBe('"requests";q=200;w=1');
  const atOneApi = new Client(url, product.adminKey);
  const changed = await atOneApi.patch(`/api/v1/tenants/${id}`, { limits: { requestsPerSecond: 1_000 } });
  expect(changed.body.data.limits).toMatchObject({ requestsPerSecond: 1_000, sessionCallsPerMinute: 0 });
  expect(await policy()).toBe('"requests";q=1000;w=1');
});

test("limits beyond the platform's are refused by name", async () => {
  const { id } = await tenant();
  for (const limits of [{ requestsPerSecond: 0 }, { sessionCallsPerMinute: -1 }, { weight: 1_001 }]) {
    const refused = await admin.patch(`/api/v1/tenants/${id}`, { limits });
    expect(refused.status).toBe(400);
    expect(refused.body.errors[0].path).toBe(`limits.${Object.keys(limits)[0]}`);
  }
});

test("over sessionCallsPerMinute a session's call runs nothing, and says what to do; other sessions go on", async () => {
  const { owner } = await tenant({ sessionCallsPerMinute: 2 });
  const { id } = await createTool(owner, "counted", "return 1;");
  const call = (sessionKey: string) => owner.post(`${TOOLS}/counted/execute`, { context: { sessionKey } });
  expect((await call("chat-1")).status).toBe(200);
  expect((await call("chat-1")).status).toBe(200);
  const refused = await call("chat-1");
  expect(refused.status).toBe(429);
  expect(refused.body).toMatchObject({ code: "session.rate_limited", retryable: true });
  expect(refused.body.detail).toContain("nothing was run");
  const retryAfter = Number(refused.headers.get("retry-after"));
  expect(retryAfter).toBeGreaterThanOrEqual(1);
  expect(retryAfter).toBeLessThanOrEqual(30);
  expect(refused.headers.get("ratelimit-policy")).toContain('"session-calls";q=2;w=60');
  expect(refused.headers.get("ratelimit")).toContain('"session-calls";r=0;t=');
  expect((await call("chat-2")).status).toBe(200);
  expect((await owner.get(`/api/v1/executions?tool=${id}`)).body.data.executions).toHaveLength(3);
});

/** More than twice the burst. They take seconds, on a machine that does much else minutes. */
const CALLS = 450;

test.runIf(isNightly)(
  "a plain loop of sync calls with the default limits never meets a 429",
  { timeout: 300_000 },
  async () => {
    const { owner } = await tenant();
    await createTool(owner, "quick", "return args.n;", {
      parameters: { type: "object", properties: { n: { type: "integer" } } },
    });
    for (let n = 0; n < CALLS; n++) {
      const { status, body } = await owner.post(`${TOOLS}/quick/execute`, { arguments: { n } });
      expect([status, body.data?.result]).toEqual([200, n]);
    }
  },
);
