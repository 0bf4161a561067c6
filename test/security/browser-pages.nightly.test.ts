import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { gzipSync } from "node:zlib";
import { buffer } from "node:stream/consumers";
import type { BrowserProcess } from "@bulkhead/tools/built-in";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  act,
  home,
  missing,
  newBrowser,
  open,
  other,
  pageOf,
  serve,
  shown,
  textWith,
  tls,
  useSite,
} from "./support/browser-site.ts";

useSite();
let browser: BrowserProcess;
beforeAll(async () => {
  if (missing === null) browser = await newBrowser();
});
afterAll(async () => {
  browser?.kill();
  await browser?.ended;
});

const sha = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

test("a page runs its scripts, and its requests are told as they are", async () => {
  const big = Buffer.alloc(1_500_000, "0123456789abcdef\n");
  const asked: IncomingMessage[] = [];
  serve(async (request, response) => {
    asked.push(request);
    const headers = { "content-type": "text/plain" };
    switch (request.url) {
      case "/page":
        response.setHeader("set-cookie", ["a=1; Path=/", "b=2; Path=/; HttpOnly; SameSite=Lax"]);
        response.setHeader("content-type", "text/html; charset=utf-8");
        return response.end(
          pageOf(`
            const bytes = async (answer) => {
              const digest = await crypto.subtle.digest("SHA-256", await answer.arrayBuffer());
              return new Uint8Array(digest).toHex?.() ?? [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
            };
            const told = {};
            told.cookie = document.cookie;
            told.cookies = await (await fetch("/cookies")).text();
            told.gzip = await (await fetch("/gzip")).text();
            const none = await fetch("/none");
            told.none = [none.status, await none.text()];
            const head = await fetch("/head", { method: "HEAD" });
            told.head = [head.status, head.headers.get("x-one"), head.headers.get("content-length"), await head.text()];
            const range = await fetch("/range", { headers: { range: "bytes=2-4" } });
            told.range = [range.status, range.headers.get("content-range"), await range.text()];
            const cached = async () => (await fetch("/tagged", { cache: "no-cache" })).text();
            told.tagged = [await cached(), await cached()];
            told.upload = await (await fetch("/upload", { method: "PUT", body: new Uint8Array(300_000).fill(7) })).text();
            told.big = await bytes(await fetch("/big"));
            told.missing = (await fetch("/missing")).status;
            return told;`),
        );
      case "/cookies":
        return response.end(request.headers.cookie);
      case "/gzip":
        response.writeHead(200, { ...headers, "content-encoding": "gzip" });
        return response.end(gzipSync("ünpacked"));
      case "/none":
        return response.writeHead(204).end();
      case "/head":
        return response.writeHead(200, { "content-length": "5", "x-one": "1" }).end();
      case "/range":
        response.writeHead(206, { ...headers, "content-range": "bytes 2-4/10" });
        return response.end("234");
      case "/tagged":
        if (request.headers["if-none-match"] === '"v1"')
          return response.writeHead(304, { etag: '"v1"' }).end();
        return response.writeHead(200, { ...headers, etag: '"v1"' }).end("first");
      case "/upload":
        return response.end(sha(await buffer(request)));
      case "/big":
        return response.end(big);
      default:
        return response.writeHead(404).end();
    }
  });
  const outcome = await open(browser, `${home}/page`);
  expect(outcome).toMatchObject({
    ok: true,
    result: { action: "open", url: `${home}/page`, title: "A page", status: 200 },
  });
  expect(await shown(browser)).toEqual({
    cookie: "a=1",
    cookies: "a=1; b=2",
    gzip: "ünpacked",
    none: [204, ""],
    head: [200, "1", "5", ""],
    range: [206, "bytes 2-4/10", "234"],
    tagged: ["first", "first"],
    upload: sha(new Uint8Array(300_000).fill(7)),
    big: sha(big),
    missing: 404,
  });
  const revalidated = asked.filter(({ url, headers }) => url === "/tagged" && headers["if-none-match"]);
  expect(revalidated).toHaveLength(1);
  expect(asked.flatMap(({ rawHeaders }) => rawHeaders.filter((name) => /^(proxy-|via)/i.test(name)))).toEqual(
    [],
  );
});

test("a redirect leads to another host, which gets none of the first one's cookies", async () => {
  const cookies: (string | undefined)[] = [];
  serve((request, response) => {
    if (request.url === "/from")
      response.writeHead(302, { location: `${other}/to`, "set-cookie": "mine=1" }).end();
    else {
      cookies.push(request.headers.cookie);
      response.end("there");
    }
  });
  expect(await open(browser, `${home}/from`)).toMatchObject({ result: { url: `${other}/to`, status: 200 } });
  expect(cookies).toEqual([undefined]);
});

test("back leads to the page before, and from a page's first one nowhere", async () => {
  serve(({ url }, response) => response.end(url));
  await act(browser, { action: "open", url: `${home}/first`, page: "new" });
  expect(await act(browser, { action: "back" })).toMatchObject({
    ok: false,
    message: "There is no page before this one.",
  });
  await textWith(browser, "/first");
  await open(browser, `${home}/second`);
  expect(await act(browser, { action: "back" })).toMatchObject({ result: { url: `${home}/first` } });
});

test("a text that must be there at once is not waited for", async () => {
  serve((_, response) => response.end("words"));
  await open(browser, `${home}/`);
  expect(await act(browser, { action: "wait", text: "words", ms: 0 })).toMatchObject({ ok: true });
  expect(await act(browser, { action: "wait", text: "others", ms: 0 })).toMatchObject({
    ok: false,
    message: "The page did not show this text within 0 ms.",
  });
});

test("a page that is busy outlives an action whose time is over", async () => {
  const busy = `const work = () => { const end = performance.now() + 1_500; while (performance.now() < end); setTimeout(work, 20); }; setTimeout(work, 200);`;
  serve((_, response) =>
    response.setHeader("content-type", "text/html").end(`<p>words<script>${busy}</script>`),
  );
  await open(browser, `${home}/`);
  const late = await act(browser, { action: "wait", ms: 10_000 }, { timeoutMs: 4_000 });
  expect(late).toMatchObject({ ok: false, code: "timed_out", notes: { dismissed: { count: 0 } } });
  await textWith(browser, "words");
});

test("a host's certificate is checked on the way out, and a page of https is one", async () => {
  serve((_, response) => {
    response.setHeader("content-type", "text/html");
    response.end(pageOf("return [location.protocol, isSecureContext, 'caches' in window]"));
  });
  expect(await open(browser, `${tls}/`)).toMatchObject({ ok: true });
  expect(await shown(browser)).toEqual(["https:", true, true]);
  // The certificate is for localhost alone.
  const wrong = await open(browser, tls.replace("localhost", "127.0.0.1"));
  expect(wrong).toMatchObject({
    ok: false,
    code: "refused",
    message: expect.stringMatching(/certificate/i) as string,
  });
});

test("pages share the bytes and the requests that a call may have", async () => {
  serve((request, response) => {
    const isPage = request.url === "/";
    if (isPage) response.setHeader("content-type", "text/html");
    const script = pageOf(
      `const sizes = [];
        for (const name of ["/a", "/b"]) sizes.push(await fetch(name).then((answer) => answer.arrayBuffer()).then(({ byteLength }) => byteLength, String));
        return sizes;`,
    );
    response.end(isPage ? script : Buffer.alloc(3_000_000));
  });
  const outcome = await open(browser, `${home}/`);
  expect(outcome.bytesIn).toBeLessThanOrEqual(4 * 2 ** 20);
  expect(await shown(browser)).toEqual([3_000_000, expect.stringContaining("TypeError")]);
  const few = await open(browser, `${home}/`, {
    limits: { networkRequests: 1, bytesIn: 1_000_000, bytesOut: 0 },
  });
  expect(few.requests).toBe(1);
  expect(few.notes.refused.count).toBe(4);
  for (const why of few.notes.refused.first)
    expect(why).toContain("the run's limit of 1 requests is reached");
});

test("a page asks for nothing once the action is over, and browsers of two askers share nothing", async () => {
  let ticks = 0;
  const cookies: (string | undefined)[] = [];
  serve((request, response) => {
    if (request.url === "/tick") ticks += 1;
    else response.writeHead(200, { "content-type": "text/html", "set-cookie": "who=first; Max-Age=1000" });
    if (request.url === "/") cookies.push(request.headers.cookie);
    response.end(`<body>ticking<script>setInterval(() => fetch("/tick").catch(() => {}), 200)</script>`);
  });
  for (let times = 0; times < 2; times += 1) await open(browser, `${home}/`);
  const before = ticks;
  // Its start takes longer than a tick.
  const second = await newBrowser("ten_b");
  expect(ticks).toBe(before);
  await open(second, `${home}/`);
  second.kill();
  expect(await second.ended).toBeNull();
  expect(cookies[1]).toContain("who=first");
  expect(cookies[2]).toBeUndefined();
  await textWith(browser, "ticking");
});
