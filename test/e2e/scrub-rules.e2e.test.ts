import { isDeepStrictEqual } from "node:util";
import { queryRows, sharedProduct, until } from "@bulkhead/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { openEcho } from "../support/canary/echo.ts";
import { createTool, newClient, newTenant, type Client } from "../support/client.ts";

const RULES = "/api/v1/scrub-rules";
const VALUE = "our-own-inner-name-4711";

const product = await sharedProduct();
let tenantId: string;
let owner: Client;
let viewer: Client;
let agent: Client;
let stranger: Client;

beforeAll(async () => {
  ({ id: tenantId, owner } = await newTenant(product));
  stranger = (await newTenant(product)).owner;
  const asRole = (role: string) => newClient(product, tenantId, role);
  [viewer, agent] = await Promise.all([asRole("viewer"), asRole("agent")]);
});

// What is covered is counted every few seconds: they wait together, each with a tenant of its own.
describe.concurrent("what is covered", () => {
  test("of a tenant's own output by its rules, from the next execution on, is counted", async () => {
    const plain = { t: "TICKET-12345", v: VALUE };
    await createTool(owner, "says", "return args");
    await createTool(stranger, "says", "return args");
    const said = async (client: Client) =>
      (await client.post("/api/v1/custom-tools/says/execute", { arguments: plain })).body.data.result;
    expect(await said(owner)).toEqual(plain);
    const pattern = await owner.post(RULES, { name: "tickets", pattern: "TICKET-[0-9]{5}" });
    expect(pattern.status).toBe(201);
    expect(pattern.body.data).toMatchObject({
      id: expect.stringMatching(/^scr_[0-9a-f]{16}$/),
      name: "tickets",
      kind: "pattern",
      pattern: "TICKET-[0-9]{5}",
      createdBy: expect.stringMatching(/^key_/),
    });
    const value = await owner.post(RULES, { name: "inner", value: VALUE });
    expect(JSON.stringify(value.body)).not.toContain(VALUE);
    expect(value.body.data).toMatchObject({ kind: "value", wholeWordsOnly: false });
    const covered = { t: "[REDACTED]", v: "[REDACTED]" };
    await until(async () => isDeepStrictEqual(await said(owner), covered), { what: "both are covered" });
    expect(await said(stranger)).toEqual(plain);
    const kinds = async () =>
      (await viewer.get(RULES)).body.data.counts.map(({ kind }: { kind: string }) => kind);
    await until(async () => (await kinds()).toSorted().join() === "rule:tickets,value", {
      what: "both are counted",
    });
    await Promise.all([pattern, value].map(({ body }) => owner.delete(`${RULES}/${body.data.id}`)));
    await until(async () => isDeepStrictEqual(await said(owner), plain), {
      what: "neither is covered any more",
    });
  });

  test("of upstreams' answers is counted too", async () => {
    const echo = await openEcho();
    try {
      const { owner: fetching } = await newTenant(product);
      const key = "wx-7f3c91d20b8e45aa";
      await fetching.post("/api/v1/config-services", { name: "echo", allowedHosts: [echo.host] });
      await fetching.post("/api/v1/config-services/echo/entries", { label: "main", data: { api_key: key } });
      // It tells nothing of the answer, so nothing else is covered.
      const code = `const { ok } = await api.rest({ url: "${echo.url}", auth: "echo" }); return ok;`;
      const requires = { permissions: ["network"], requiredConfigServices: [{ name: "echo" }] };
      await createTool(fetching, "asks", code, requires);
      const { body } = await fetching.post("/api/v1/custom-tools/asks/execute", { arguments: {} });
      expect(body.data).toMatchObject({ status: "succeeded" });
      expect(echo.seen).toHaveLength(1);
      const counts = () => fetching.get(RULES).then((answer) => answer.body.data.counts);
      // Its body repeats the request's header.
      await until(async () => isDeepStrictEqual(await counts(), [{ kind: "value", count: 1 }]), {
        what: "the count of what was covered",
      });
    } finally {
      await echo.close();
    }
  });
});

test("rules are listed without values, and nowhere is a value in plain", async () => {
  const made = await owner.post(RULES, { name: "hidden", value: "another-inner-name-0815" });
  const { rules } = (await viewer.get(RULES)).body.data;
  expect(rules).toEqual([made.body.data]);
  expect(rules[0]).not.toHaveProperty("value");
  const rows = await queryRows(
    product.databaseUrl,
    `SELECT row_to_json(r)::text AS row FROM scrub_rules AS r UNION ALL SELECT row_to_json(a)::text FROM audit_entries AS a`,
  );
  expect(JSON.stringify(rows)).not.toContain("another-inner-name");
  expect((await owner.post(RULES, { name: "hidden", pattern: "x[0-9]{9}" })).body.code).toBe(
    "scrub_rule.name_taken",
  );
});

test("viewers read, agents do nothing, and another tenant's rule does not exist", async () => {
  const { id } = (await owner.post(RULES, { name: "guarded", pattern: "GUARD-[0-9]{5}" })).body.data;
  for (const client of [viewer, agent]) {
    expect((await client.post(RULES, { name: "x", pattern: "X-[0-9]{5}" })).body.code).toBe("auth.forbidden");
    expect((await client.delete(`${RULES}/${id}`)).body.code).toBe("auth.forbidden");
  }
  expect((await agent.get(RULES)).body.code).toBe("auth.forbidden");
  expect((await stranger.get(RULES)).body.data).toEqual({
    rules: [],
    nextCursor: null,
    counts: expect.any(Array),
  });
  expect((await stranger.delete(`${RULES}/${id}`)).body.code).toBe("scrub_rule.not_found");
  expect((await owner.delete(`${RULES}/${id}`)).status).toBe(200);
});

test.each<[string, object, string]>([
  ["a pattern that can't be linear", { pattern: "(?=a)b" }, "pattern"],
  ["a pattern that would take too long for each character", { pattern: "(a{1,900}){1,900}" }, "pattern"],
  ["a pattern that covers everything", { pattern: ".*" }, "pattern"],
  ["what is no pattern", { pattern: "(" }, "pattern"],
  ["a short value", { value: "abc" }, "value"],
  ["a common value", { value: "password" }, "value"],
  ["both at once", { pattern: "a{9}", value: VALUE }, "pattern"],
  ["neither", {}, "pattern"],
  ["a name of other characters", { name: "A b", value: VALUE }, "name"],
])("%s is refused with its path", async (_what, fields, path) => {
  const answer = await owner.post(RULES, { name: "refused", ...fields });
  expect(answer).toMatchObject({ status: 400, body: { code: "request.invalid" } });
  expect(answer.body.errors[0].path).toBe(path);
  expect(JSON.stringify(answer.body)).not.toContain(VALUE);
});

test("a weak value is taken for whole words where the caller says so", async () => {
  const taken = await owner.post(RULES, { name: "weak", value: "abc", allowWeak: true });
  expect(taken).toMatchObject({ status: 201, body: { data: { wholeWordsOnly: true } } });
});
