import { sharedProduct } from "@bulkhead/testing";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { newAgentTenant } from "../support/agents.ts";
import { createTool, newTenant, type Client } from "../support/client.ts";

const product = await sharedProduct();
const KEY = "search-key-4711-abcdef";
const SERVICES = "/api/v1/config-services";
const SERVICE = {
  name: "web_search",
  configSchema: [
    { name: "provider", type: "select", required: true, options: ["searxng", "brave", "tavily", "google"] },
    { name: "base_url", type: "url", required: false },
    { name: "api_key", type: "secret", required: false },
    { name: "engine_id", type: "text", required: false },
  ],
};

interface Seen {
  method: string | undefined;
  path: string;
  query: Record<string, string>;
  headers: IncomingMessage["headers"];
  body: string;
}

let server: Server;
let url: string;
let owner: Client;
let agent: Client;
let seen: Seen[] = [];
let answer: (response: ServerResponse) => void;

beforeAll(async () => {
  server = createServer((request, response) => {
    void text(request).then((body) => {
      const at = new URL(request.url ?? "", "http://x");
      const query = Object.fromEntries(at.searchParams);
      seen.push({ method: request.method, path: at.pathname, query, headers: request.headers, body });
      answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  ({ owner, one: agent } = await newAgentTenant(product));
  expect((await owner.post(SERVICES, SERVICE)).status).toBe(201);
});
beforeEach(() => void (seen = []));
afterAll(() => void server?.close());

const says = (value: object, status = 200, headers: Record<string, string> = {}) =>
  void (answer = (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(value));
  });
const search = async (args: object, by = owner) =>
  (await by.post("/api/v1/custom-tools/web_search/execute", { arguments: args })).body;
const engines = async (by = owner) =>
  (await by.get("/api/v1/built-in-tools")).body.data.tools.find(
    ({ name }: { name: string }) => name === "web_search",
  );
async function useEngine(data: object): Promise<void> {
  await owner.delete(`${SERVICES}/web_search/entries/main`);
  const made = await owner.post(`${SERVICES}/web_search/entries`, {
    label: "main",
    data: { base_url: url, ...data },
  });
  expect(made.status).toBe(201);
}

const NEWS = { title: "News", url: "https://news.example/a", snippet: "Ships sail." };
const PUBLISHED = { ...NEWS, publishedAt: "2026-11-20T00:00:00.000Z" };

test("without an engine it is not there, and says what to enter", async () => {
  product.showLogsIfTestFails();
  expect((await engines()).engine).toEqual({
    available: false,
    missing: expect.stringContaining('enter a service "web_search"'),
  });
  const { data } = await search({ query: "ships" });
  expect([data.status, data.error.message]).toEqual([
    "failed",
    expect.stringContaining("No search engine is set up"),
  ]);
});

test.each([
  [
    "searxng",
    {},
    { results: [{ title: "News", url: NEWS.url, content: "Ships sail.", publishedDate: "2026-11-20" }] },
    { method: "GET", path: "/search", query: { q: "ships & sails", format: "json" } },
  ],
  [
    "brave",
    { api_key: KEY },
    { web: { results: [{ ...NEWS, description: NEWS.snippet, page_age: "2026-11-20" }] } },
    {
      method: "GET",
      path: "/res/v1/web/search",
      query: { q: "ships & sails", count: "5", result_filter: "web", text_decorations: "false" },
      headers: { "x-subscription-token": KEY },
    },
  ],
  [
    "tavily",
    { api_key: KEY },
    { results: [{ ...NEWS, content: NEWS.snippet, published_date: "2026-11-20" }] },
    { method: "POST", path: "/search", headers: { authorization: `Bearer ${KEY}` } },
  ],
  [
    "google",
    { api_key: KEY, engine_id: "cx-1" },
    {
      items: [
        { ...NEWS, link: NEWS.url, pagemap: { metatags: [{ "article:published_time": "2026-11-20" }] } },
      ],
    },
    {
      method: "GET",
      path: "/customsearch/v1",
      query: { key: KEY, cx: "cx-1", q: "ships & sails", num: "5" },
    },
  ],
])("%s is asked as its API is, and its answer is read", async (provider, data, said, asked) => {
  await useEngine({ provider, ...data });
  says(said);
  const { data: ran } = await search({ query: "ships & sails", limit: 5 });
  expect(ran).toMatchObject({ status: "succeeded", result: { results: [PUBLISHED], provider } });
  expect(ran.metadata.usage.networkRequests).toBe(1);
  expect(seen).toMatchObject([asked]);
  if (provider === "tavily")
    expect(JSON.parse(seen[0]?.body ?? "")).toEqual({
      query: "ships & sails",
      max_results: 5,
      search_depth: "basic",
    });
  expect((await engines()).engine).toEqual({ available: true, missing: null });
});

test.each([
  [401, {}, /brave refused the key \(401\).*service "web_search"/],
  [429, { "retry-after": "7" }, /429\): try again in 7 seconds/],
  [429, {}, /try again later/],
  [402, {}, /plan at brave is used up/],
  [500, {}, /status 500/],
  [302, { location: "https://elsewhere.example/" }, /redirect/],
])("the status %i of an engine is told in words", async (status, headers, message) => {
  await useEngine({ provider: "brave", api_key: KEY });
  says({ error: KEY }, status, headers);
  const { data } = await search({ query: "ships" });
  expect([data.status, data.error.message]).toEqual(["failed", expect.stringMatching(message)]);
  expect(JSON.stringify(data)).not.toContain(KEY);
});

test("what an engine says is cut and covered, and what is no answer is told", async () => {
  await useEngine({ provider: "brave", api_key: KEY });
  says({ web: { results: Array.from({ length: 30 }, () => ({ ...NEWS, description: `of ${KEY}` })) } });
  const { data } = await search({ query: "ships" });
  expect(data.result.results).toHaveLength(10);
  expect(data.result.results[0].snippet).toBe("of [REDACTED]");
  says({ web: { results: 7 } });
  expect((await search({ query: "ships" })).data.error.message).toMatch(/no list of results/);
  answer = (response) => void response.end("<html>");
  expect((await search({ query: "ships" })).data.error.message).toMatch(/no list of results/);
  answer = (response) => void response.end("x".repeat(1_100_000));
  expect((await search({ query: "ships" })).data.error.message).toMatch(/more than 1048576 bytes/);
});

test.each([
  [{}, /required/],
  [{ query: "  " }, /query/],
  [{ query: "x".repeat(401) }, /query/],
  [{ query: "a", limit: 21 }, /limit/],
  [{ query: "a", page: 2 }, /additional|unknown|not allowed/i],
])("%j is refused by its schema", async (args, message) => {
  const { code, errors } = await search(args);
  expect(code).toBe("tool.arguments_invalid");
  expect(JSON.stringify(errors)).toMatch(message);
});

test("it is its caller's request: permission and hosts are the caller's, and its code can't use the key", async () => {
  await useEngine({ provider: "brave", api_key: KEY });
  says({ web: { results: [NEWS] } });
  const code = "return utils.callTool('web_search', { query: 'ships' });";
  await createTool(owner, "offline_search", code);
  await createTool(owner, "fenced_search", code, { permissions: ["network"], allowedHosts: ["example.com"] });
  const run = async (tool: string) =>
    (await owner.post(`/api/v1/custom-tools/${tool}/execute`, {})).body.data.error;
  expect((await run("offline_search")).message).toMatch(/network/);
  expect((await run("fenced_search")).code).toBe("tool.egress_denied");
  expect(seen).toEqual([]);
  await owner.patch(`${SERVICES}/web_search`, { allowedHosts: ["elsewhere.example"] });
  expect((await search({ query: "ships" })).data.error.message).toMatch(/may not go to 127\.0\.0\.1/);
  await owner.patch(`${SERVICES}/web_search`, { allowedHosts: null });
});

test("an agent needs a word of it by its name, and another tenant has not this one's engine", async () => {
  await useEngine({ provider: "searxng" });
  says({ results: [] });
  expect((await search({ query: "ships" }, agent)).data.status).toBe("awaiting_approval");
  const settle = (approval: object) => owner.patch("/api/v1/tenant/settings", { approval });
  await settle({ tools: { web_search: "preApproved" } });
  expect((await search({ query: "ships" }, agent)).data.result).toEqual({ results: [], provider: "searxng" });
  const { owner: stranger } = await newTenant(product);
  expect((await engines(stranger)).engine.available).toBe(false);
  expect((await search({ query: "ships" }, stranger)).data.error.message).toMatch(/No search engine/);
  const put = (policy: object) =>
    fetch(`${product.url}/api/v1/policy`, {
      method: "PUT",
      headers: { authorization: `Bearer ${owner.key}`, "content-type": "application/json" },
      body: JSON.stringify(policy),
    });
  expect((await put({ deny: ["group:web"] })).status).toBe(200);
  expect((await search({ query: "ships" }, agent)).code).toBe("tool.not_found");
  expect((await put({ allow: ["web_search"] })).status).toBe(200);
  const { tools } = (await agent.get("/api/v1/custom-tools/active/definitions")).body.data;
  expect(tools.map(({ name }: { name: string }) => name)).toEqual(["web_search"]);
});
