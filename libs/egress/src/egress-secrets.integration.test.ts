import { createServer as createSecureServer } from "node:https";
import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import type { EgressRequest, PlacedSecret } from "@bulkhead/core";
import { afterEach, describe, expect, it } from "vitest";
import { get, LIMITS, LocalOrigins, never } from "./local-origins.ts";
import { placeSecret, VALUE } from "./local-secrets.ts";
import { makeSelfSigned } from "@bulkhead/process/self-signed";

const origins = new LocalOrigins();
afterEach(() => origins.close());

const KEY = placeSecret();
const { placeholder } = KEY;
const encoded = encodeURIComponent(VALUE);
const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** A request as the upstream received it. */
interface Seen {
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}

/** An upstream that keeps what it is asked. */
async function serve(answer: (seen: Seen, response: ServerResponse) => void) {
  const seen: Seen[] = [];
  const url = await origins.serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const one = {
        url: request.url ?? "",
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      seen.push(one);
      answer(one, response);
    });
  });
  return { url, seen };
}
const ok = (_: Seen, response: ServerResponse): void => void response.end("ok");

const open = (placed: PlacedSecret[] = [KEY], limits = LIMITS) =>
  origins.openBroker("127.0.0.0/8").open(limits, { secrets: placed });
const fetchWith = (url: string, change: Partial<EgressRequest> = {}, placed?: PlacedSecret[]) =>
  open(placed).fetch(get(url, change), never);

describe("an upstream that may know a secret is sent its value", () => {
  it("in headers, in Basic, and in the query; the tool sees its placeholder", async () => {
    const { url, seen } = await serve(ok);
    const headers: [string, string][] = [
      ["authorization", `Bearer ${placeholder}`],
      ["x-basic", `Basic ${base64(`user:${placeholder}`)}`],
    ];
    const answer = await fetchWith(`${url}/p?k=${placeholder}`, { headers });
    expect(answer).toMatchObject({ ok: true, body: "ok", url: `${url}/p?k=${placeholder}` });
    expect(seen).toMatchObject([
      {
        url: `/p?k=${encoded}`,
        headers: { authorization: `Bearer ${VALUE}`, "x-basic": `Basic ${base64(`user:${VALUE}`)}` },
      },
    ]);
  });

  it("in a form, where its service wants that", async () => {
    const { url, seen } = await serve(ok);
    const form = placeSecret({ inBody: true });
    const body = `grant_type=x&client_secret=${form.placeholder}`;
    const headers: [string, string][] = [["content-type", "application/x-www-form-urlencoded"]];
    const answer = await fetchWith(url, { method: "POST", headers, body }, [form]);
    expect(answer).toMatchObject({ ok: true });
    const sent = `grant_type=x&client_secret=${encoded}`;
    expect(seen).toMatchObject([{ body: sent, headers: { "content-length": `${sent.length}` } }]);
  });

  it("by https, at a name", async () => {
    const { key, cert } = makeSelfSigned(["api.test"]);
    const heard: unknown[] = [];
    const server = createSecureServer({ key, cert }, (request, response) => {
      heard.push(request.headers.authorization);
      response.end();
    });
    const port = await origins.listen(server);
    const broker = origins.openBroker("127.0.0.0/8", { ca: cert, lookup: async () => ["127.0.0.1"] });
    const named = placeSecret({ hosts: ["*.test"] });
    const headers: [string, string][] = [["authorization", named.placeholder]];
    const session = broker.open(LIMITS, { secrets: [named] });
    expect(await session.fetch(get(`https://api.test:${port}/`, { headers }), never)).toMatchObject({
      ok: true,
    });
    expect(heard).toEqual([VALUE]);
  });
});

describe("nothing is sent", () => {
  it("[K1] to a host that may not know the secret, and the refusal says who it is about and what to do", async () => {
    const { url, seen } = await serve(ok);
    const elsewhere = placeSecret({ hosts: ["api.example.com"] });
    const session = open([elsewhere]);
    const answer = await session.fetch(get(url, { headers: [["x", elsewhere.placeholder]] }), never);
    expect(answer).toMatchObject({
      ok: false,
      code: "egress_denied",
      message: expect.stringMatching(
        /service "weather".* may not go to 127\.0\.0\.1 .*config-services\/weather/,
      ),
    });
    expect(JSON.stringify(answer)).not.toContain(VALUE);
    expect(session.requests).toBe(0);
    expect(seen).toEqual([]);
  });

  it("by plain http, but to what EGRESS_ALLOW opens", async () => {
    const { url, seen } = await serve(ok);
    const request = get(url, { headers: [["x", placeholder]] });
    const closed = origins.openBroker("").open(LIMITS, { secrets: [KEY] });
    expect(await closed.fetch(request, never)).toMatchObject({ ok: false, code: "egress_denied" });
    expect(seen).toEqual([]);
    expect(await open().fetch(request, never)).toMatchObject({ ok: true });
  });

  it("in a body whose secret may not be there, and of more than the run may send", async () => {
    const { url, seen } = await serve(ok);
    const large = placeSecret({ value: "v".repeat(100), inBody: true });
    const limits = { ...LIMITS, bytesOut: 90 };
    expect(await fetchWith(url, { method: "POST", body: placeholder })).toMatchObject({
      code: "egress_denied",
    });
    const answer = await open([large], limits).fetch(
      get(url, { method: "POST", body: large.placeholder }),
      never,
    );
    expect(answer).toMatchObject({ ok: false, code: "network_limit" });
    expect(seen).toEqual([]);
  });
});

describe("a redirect", () => {
  const redirect = (to: (seen: Seen) => string) => (seen: Seen, response: ServerResponse) =>
    void response.writeHead(307, { location: to(seen) }).end();
  const headers: [string, string][] = [["x-custom", placeholder]];
  /** The same server by another name: `localhost` is another host. */
  const elsewhere = (url: string): string => url.replace("127.0.0.1", "localhost");

  it("to the same host carries the secret in a header", async () => {
    const { url, seen } = await serve((one, response) =>
      (one.url === "/" ? redirect(() => "/next") : ok)(one, response),
    );
    expect(await fetchWith(`${url}/`, { headers })).toMatchObject({ ok: true, url: `${url}/next` });
    expect(seen.map((one) => one.headers["x-custom"])).toEqual([VALUE, VALUE]);
  });

  it("to a host that may not know it is refused, and gets neither value nor placeholder", async () => {
    const target = await serve(ok);
    const { url } = await serve(redirect(() => elsewhere(target.url)));
    const answer = await fetchWith(url, { headers });
    expect(answer).toMatchObject({
      ok: false,
      code: "egress_denied",
      message: expect.stringMatching(/may not go to localhost/),
    });
    expect(target.seen).toEqual([]);
  });

  it("to another host goes on without the credentials that stay with their origin", async () => {
    const target = await serve(ok);
    const { url } = await serve(redirect(() => elsewhere(target.url)));
    const answer = await fetchWith(url, { headers: [["authorization", `Bearer ${placeholder}`]] });
    expect(answer).toMatchObject({ ok: true, redirected: true });
    expect(JSON.stringify(target.seen)).not.toMatch(/authorization|bhs_/);
  });

  it("to another host that may know it carries it anew", async () => {
    const target = await serve(ok);
    const { url } = await serve(redirect(() => elsewhere(target.url)));
    const both = placeSecret({ hosts: ["127.0.0.1", "localhost"], inBody: true });
    const body = both.placeholder;
    const answer = await fetchWith(url, { method: "POST", body }, [both]);
    expect(answer).toMatchObject({ ok: true });
    expect(target.seen).toMatchObject([{ body: VALUE }]);
  });

  it("that repeats the secret is followed where the secret may go, and shown without it", async () => {
    const { url, seen } = await serve((one, response) =>
      (one.url.startsWith("/next") ? ok : redirect(() => `/next?again=${encoded}`))(one, response),
    );
    const answer = await fetchWith(`${url}/?k=${placeholder}`);
    expect(answer).toMatchObject({ ok: true, body: "ok" });
    expect(JSON.stringify(answer)).not.toContain(encoded);
    expect(seen.at(-1)?.url).toBe(`/next?again=${encoded}`);
  });

  it("that repeats the secret for another host is not followed", async () => {
    const target = await serve(ok);
    const { url } = await serve(redirect(() => `${elsewhere(target.url)}/?stolen=${encoded}`));
    const answer = await fetchWith(`${url}/?k=${placeholder}`);
    expect(answer).toMatchObject({ ok: false, code: "egress_denied" });
    expect(JSON.stringify(answer)).not.toContain(encoded);
    expect(target.seen).toEqual([]);
  });

  it("that is for the tool to follow is shown without the secret", async () => {
    const { url } = await serve(redirect(() => `/next?again=${encoded}`));
    const answer = await fetchWith(`${url}/?k=${placeholder}`, { redirect: "manual" });
    expect(answer).toMatchObject({ ok: true, status: 307 });
    expect(answer.ok && answer.headers).toContainEqual(["location", "/next?again=[REDACTED]"]);
  });
});

describe("an upstream that repeats a secret is covered", () => {
  const headers: [string, string][] = [["x-key", placeholder]];
  const TOLD = `<${VALUE}>`;
  const COVERED = "<[REDACTED]>";

  it("in status text and headers, names too", async () => {
    const plain = placeSecret({ value: "plain-secret" });
    const { url } = await serve((_, response) =>
      response
        .writeHead(200, "plain-secret", { "x-a": "a plain-secret b", "plain-secret": "1", "x-b": "1" })
        .end(),
    );
    const answer = await fetchWith(url, { headers: [["x", plain.placeholder]] }, [plain]);
    expect(answer).toMatchObject({ ok: true, statusText: "[REDACTED]" });
    expect(answer.ok && answer.headers).toEqual(
      expect.arrayContaining([
        ["x-a", "a [REDACTED] b"],
        ["x-b", "1"],
      ]),
    );
    expect(JSON.stringify(answer)).not.toContain("plain-secret");
  });

  it("in a body, plain or compressed", async () => {
    for (const [body, coding] of [
      [TOLD, "identity"],
      [gzipSync(TOLD), "gzip"],
    ] as const) {
      const { url } = await serve((_, response) =>
        response.writeHead(200, { "content-encoding": coding }).end(body),
      );
      expect(await fetchWith(url, { headers })).toMatchObject({ ok: true, body: COVERED });
    }
  });

  it("in a body that comes byte by byte and is read part by part", async () => {
    const { url } = await serve((_, response) => {
      const write = (bytes: string): void => {
        if (bytes === "") response.end();
        else response.write(bytes.slice(0, 1), () => setImmediate(write, bytes.slice(1)));
      };
      write(TOLD.repeat(3));
    });
    expect(await fetchWith(url, { headers })).toMatchObject({ ok: true, body: COVERED.repeat(3) });
  });

  it("where a large body is cut into parts", async () => {
    const { url } = await serve((_, response) => void response.end(TOLD.repeat(20_000)));
    expect(await fetchWith(url, { headers })).toMatchObject({ ok: true, body: COVERED.repeat(20_000) });
  });

  it("in the start that a body breaks off with", async () => {
    const raw = await origins.serveRaw((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\nbefore ${VALUE.slice(0, -1)}`, () =>
        socket.end(),
      );
    });
    const { session } = open();
    const parts: string[] = [];
    const head = await session.fetch(get(raw, { headers }), never, 1);
    parts.push(JSON.stringify(head), JSON.stringify(await session.read(1, never)));
    expect(parts.join()).toContain("before ");
    expect(parts.join()).not.toContain(VALUE.slice(0, 4));
  });
});

it("without secrets there is no look at what comes back", async () => {
  const { url } = await serve((_, response) => void response.end(VALUE));
  const answer = await origins.openSession().fetch(get(`${url}/?${placeholder}`), never);
  expect(answer).toMatchObject({ ok: true, body: VALUE });
});
