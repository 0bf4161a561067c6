import { sharedProduct } from "@bulkhead/testing";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTool, newTenant, type Client } from "../support/client.ts";

const product = await sharedProduct();
let owner: Client;
let site: Server;
let siteUrl: string;

const PAGE = `<!doctype html><title>News of
  the day</title><nav><a href="/about">About</a></nav>
  <h1>Ships</h1><p>A bulkhead keeps <b>one</b> flooded compartment from sinking the ship.</p>
  <a href="more?x=1#y">Read more</a><a href="javascript:alert(1)">no</a><script>var hidden = 1;</script>`;
const TYPES: Record<string, [string, string | Buffer]> = {
  "/image": ["image/png", Buffer.of(0x89, 0, 1)],
  "/json": ["application/json", '{"a":[1]}'],
};

beforeAll(async () => {
  site = createServer((request, response) => {
    const [type, body] = TYPES[request.url ?? ""] ?? ["text/html; charset=utf-8", PAGE];
    response.setHeader("content-type", type).end(body);
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  ({ owner } = await newTenant(product));
  await createTool(owner, "reads", "return utils.callTool('web_fetch', args);", { permissions: ["network"] });
});

afterAll(async () => {
  site?.close();
});

const run = async (name: string, args: object = {}) =>
  (await owner.post(`/api/v1/custom-tools/${name}/execute`, { arguments: args })).body.data;

const summarize = `
  const content = await utils.callTool('web_fetch', { url: args.url });
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  const words = text.split(/\\s+/).length;
  return { url: args.url, wordCount: words, preview: utils.truncate(text, 500), fetchedAt: utils.now() };`;

test("[X1] works in the documented example", async () => {
  product.showLogsIfTestFails();
  await createTool(owner, "summarize_url", summarize, { permissions: ["network"] });
  const { result, metadata } = await run("summarize_url", { url: `${siteUrl}/news/` });
  expect(result.preview).toContain("flooded compartment");
  expect(result.wordCount).toBeGreaterThan(10);
  expect(metadata.usage.networkRequests).toBe(1);
});

test("answers a page's title, text and links", async () => {
  expect((await run("reads", { url: `${siteUrl}/news/` })).result).toEqual({
    url: `${siteUrl}/news/`,
    status: 200,
    title: "News of the day",
    text: expect.stringMatching(
      /^Ships\s+A bulkhead keeps one flooded compartment from sinking the ship\.\s+Read more/,
    ),
    links: [
      { text: "About", href: `${siteUrl}/about` },
      { text: "Read more", href: `${siteUrl}/news/more?x=1#y` },
    ],
    truncated: false,
  });
  expect((await run("reads", { url: `${siteUrl}/json` })).result.text).toBe('{\n  "a": [\n    1\n  ]\n}');
  expect((await run("reads", { url: `${siteUrl}/news/`, maxLength: 5 })).result).toMatchObject({
    text: "Ships",
    truncated: true,
  });
});

test("is its caller's request: permission, hosts and counts are the caller's", async () => {
  await createTool(owner, "offline", "return utils.callTool('web_fetch', args);");
  expect((await run("offline", { url: siteUrl })).error.message).toMatch(/has no network permission/);
  const { error } = await run("reads", { url: "http://[fd00::1]/" });
  expect(error.code).toBe("tool.egress_denied");
  await createTool(
    owner,
    "once",
    "await utils.callTool('web_fetch', args); await utils.callTool('web_fetch', args);",
    {
      permissions: ["network"],
      limits: { networkRequests: 1 },
    },
  );
  expect((await run("once", { url: siteUrl })).error.code).toBe("tool.network_limit");
  await createTool(owner, "elsewhere", "await utils.callTool('web_fetch', args);", {
    permissions: ["network"],
    allowedHosts: ["example.com"],
  });
  expect((await run("elsewhere", { url: siteUrl })).error.code).toBe("tool.egress_denied");
});

test("refuses what is not text", async () => {
  const { error } = await run("reads", { url: `${siteUrl}/image` });
  expect(error.message).toMatch(/image\/png, not text/);
});
