import { sharedProduct } from "@bulkhead/testing";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ENCRYPTED, samplePdf } from "../../libs/tools/src/built-in/web/fixtures/sample-pdf.ts";
import { createTool, newTenant, type Client } from "../support/client.ts";

const product = await sharedProduct();
let owner: Client;
let site: Server;
let siteUrl: string;

const PAGE = `<!doctype html><title>News of
  the day</title><nav><a href="/about">About</a></nav>
  <h1>Ships</h1><p>A bulkhead keeps <b>one</b> flooded compartment from sinking the ship.</p>
  <a href="more?x=1#y">Read more</a><a href="javascript:alert(1)">no</a><script>var hidden = 1;</script>`;
let asked = 0;
const ARTICLE = `<title>Long</title><nav>nav</nav><main><h2>Part</h2><p>${"All of it is text. ".repeat(30)}</p>
  <p><a href="/x">a link</a></p></main>`;
const TYPES: Record<string, [string, string | Buffer]> = {
  "/image": ["image/png", Buffer.of(0x89, 0, 1)],
  "/article": ["text/html", ARTICLE],
  "/paper": ["application/octet-stream", samplePdf(["Ships sail", "The end"])],
  "/locked": ["application/pdf", samplePdf(["x"], ENCRYPTED)],
  "/broken": ["application/pdf", "%PDF-1.4 and nothing"],
  "/json": ["application/json", '{"a":[1]}'],
  "/key": ["text/plain", `key: ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)} end`],
};

beforeAll(async () => {
  site = createServer((request, response) => {
    asked += 1;
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
  expect((await run("reads", { url: `${siteUrl}/news/`, fresh: true })).result).toEqual({
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
    nextChar: 5,
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
    "await utils.callTool('web_fetch', args); await utils.callTool('web_fetch', { ...args, fresh: true });",
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

test("Markdown is a page's main part, and its text comes in parts", async () => {
  const url = `${siteUrl}/article`;
  const { result } = await run("reads", { url, format: "markdown" });
  expect(result.text).toMatch(
    /^## Part\n\nAll of it is text\. .*\n\n\[a link\]\(http:\/\/127\.0\.0\.1:\d+\/x\)$/,
  );
  expect(result).not.toHaveProperty("nextChar");
  const parts: string[] = [];
  for (let startChar: number | undefined = 0; startChar !== undefined;) {
    const { result: part }: { result: { text: string; nextChar?: number } } = await run("reads", {
      url,
      format: "markdown",
      maxChars: 200,
      startChar,
    });
    parts.push(part.text);
    startChar = part.nextChar;
  }
  expect([parts.join(""), parts.length]).toEqual([result.text, Math.ceil(result.text.length / 200)]);
  expect((await run("reads", { url, maxChars: 1, maxLength: 1 })).error.message).toMatch(/former name/);
});

test("a PDF becomes its text by pages, and one that can't be read says why", async () => {
  const { result } = await run("reads", { url: `${siteUrl}/paper` });
  expect(result).toMatchObject({
    text: "[Page 1]\nShips sail\n\n[Page 2]\nThe end",
    pages: 2,
    truncated: false,
  });
  expect((await run("reads", { url: `${siteUrl}/locked` })).error.message).toMatch(/only a password opens/);
  expect((await run("reads", { url: `${siteUrl}/broken` })).error.message).toMatch(/a broken PDF/);
});

test("what was fetched a moment ago is not fetched again, unless it has to be fresh or another asks", async () => {
  const url = `${siteUrl}/kept`;
  const askedAfter = async (name: string, args: object, by = owner) => {
    const before = asked;
    const { body } = await by.post(`/api/v1/custom-tools/${name}/execute`, { arguments: { url, ...args } });
    const { result, metadata, error } = body.data;
    expect(metadata.usage.networkRequests).toBe(asked - before);
    return [asked - before, result?.cached ?? error?.code ?? false];
  };
  expect(await askedAfter("web_fetch", {})).toEqual([1, false]);
  // Each worker keeps what it has fetched itself.
  await expect.poll(() => askedAfter("reads", { maxChars: 3 })).toEqual([0, true]);
  expect(await askedAfter("reads", { fresh: true })).toEqual([1, false]);
  expect(await askedAfter("reads", { format: "markdown" })).toEqual([1, false]);
  const code = "return utils.callTool('web_fetch', args);";
  await createTool(owner, "fenced", code, { permissions: ["network"], allowedHosts: ["example.com"] });
  expect(await askedAfter("fenced", {})).toEqual([0, "tool.egress_denied"]);
  const { owner: stranger } = await newTenant(product);
  expect(await askedAfter("web_fetch", {}, stranger)).toEqual([1, false]);
});

test("a token on a page can't be had in pieces", async () => {
  const url = `${siteUrl}/key`;
  const { result: whole } = await run("reads", { url });
  expect(whole.text).toBe("key: [REDACTED] end");
  const { result: part } = await run("reads", { url, startChar: 5, maxChars: 10 });
  expect(part).toMatchObject({ text: "[REDACTED]", nextChar: 15 });
});
