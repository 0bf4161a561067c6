import { createHmac, randomBytes } from "node:crypto";
import { sharedProduct } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openEcho, type Echo } from "../support/canary/echo.ts";
import { createTool, newTenant, type Client } from "../support/client.ts";

const KEY = `held-${randomBytes(16).toString("hex")}`;

const product = await sharedProduct();
let owner: Client;
let echo: Echo;

beforeAll(async () => {
  echo = await openEcho();
  ({ owner } = await newTenant(product));
  for (const [name, host] of [
    ["near", echo.host],
    ["far", "api.example.com"],
  ] as const) {
    const made = await owner.post("/api/v1/config-services", { name, allowedHosts: [host] });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const filled = await owner.post(`/api/v1/config-services/${name}/entries`, {
      label: "main",
      data: { api_key: KEY },
    });
    expect(filled.status, JSON.stringify(filled.body)).toBe(201);
  }
});

afterAll(async () => {
  await echo?.close();
});

/** What becomes of a tool with this code, which declares both services. */
async function run(name: string, code: string, more: object = {}) {
  await createTool(owner, name, code, {
    permissions: ["network"],
    requiredConfigServices: [{ name: "near" }, { name: "far" }],
    ...more,
  });
  const { body } = await owner.post(`/api/v1/custom-tools/${name}/execute`, {
    arguments: { base: echo.url },
  });
  expect(JSON.stringify(body)).not.toContain(KEY);
  return body.data;
}
const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString("base64")}`;

test.each([
  ["bearer", "'near'", "authorization", `Bearer ${KEY}`],
  ["basic", "{ service: 'near', scheme: 'basic', user: 'me' }", "authorization", basic(`me:${KEY}`)],
  ["header", "{ service: 'near', scheme: 'header' }", "x-api-key", KEY],
])("api.rest sends a key that the tool never sees: %s", async (scheme, auth, header, sent) => {
  const code = `return await api.rest({ url: args.base + "/${scheme}", auth: ${auth} })`;
  expect(await run(`auth_${scheme}`, code)).toMatchObject({ status: "succeeded" });
  expect(echo.seen.find(({ url }) => url.pathname === `/${scheme}`)?.headers[header]).toBe(sent);
});

test("utils.hmac signs with a key that the tool never sees", async () => {
  const code = `return await utils.hmac("near", "größe", { encoding: "base64" })`;
  const result = createHmac("sha256", KEY).update("größe").digest("base64");
  expect(await run("signs", code, { permissions: [] })).toMatchObject({ status: "succeeded", result });
});

test("a key goes to the hosts of its service alone, and the refusal says where to allow another", async () => {
  const code = `return await fetch(args.base + "/far?key=" + utils.getApiKey("far"))`;
  expect(await run("sends_far", code)).toMatchObject({
    status: "failed",
    error: {
      code: "tool.egress_denied",
      message: expect.stringMatching(
        /"api_key" of the service "far".* may not go to 127\.0\.0\.1 .*config-services\/far/,
      ),
    },
  });
  expect(echo.seen.filter(({ url }) => url.pathname === "/far")).toEqual([]);
});

test("a placeholder is no key in another execution", async () => {
  const { result } = await run("shows", `return utils.getApiKey("near")`);
  expect(result).toMatch(/^bhs_[0-9a-f]{48}$/);
  await run("reuses", `return (await fetch(args.base + "/reuse?key=${result}")).status`);
  expect(echo.seen.find(({ url }) => url.pathname === "/reuse")?.url.searchParams.get("key")).toBe(result);
});

test("a service that the tool doesn't declare has nothing for it", async () => {
  const code = `try { await utils.hmac("near", "x") } catch (e) { return [utils.getApiKey("near") ?? null, e.message] }`;
  const { result } = await run("undeclared", code, { requiredConfigServices: [] });
  expect(result).toEqual([null, expect.stringContaining('declares no service "near"')]);
});
