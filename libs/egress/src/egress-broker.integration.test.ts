import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import type { EgressRequest, RunLimits } from "@bulkhead/core";
import { everyNth } from "@bulkhead/testing";
import { afterEach, describe, expect, it } from "vitest";
import { codeOf, get, LocalOrigins, never } from "./local-origins.ts";

const origins = new LocalOrigins();
afterEach(() => origins.close());
const serve = origins.serve.bind(origins);
const fetchOnce = (url: string, change: Partial<EgressRequest> = {}, limits: Partial<RunLimits> = {}) =>
  origins.openSession(limits).fetch(get(url, change), never);

describe("an answer comes back whole", () => {
  it("with status, headers, text, and the URL without its fragment", async () => {
    const url = await serve((request, response) => {
      response.writeHead(201, "Made", {
        "x-a": "1",
        "set-cookie": ["a=1", "b=2"],
        "keep-alive": "timeout=5",
      });
      response.end(
        `${request.method} ${request.url} ${[request.headers["x-key"]].flat().join()} ${request.headers["user-agent"]} é`,
      );
    });
    const answer = await fetchOnce(`${url}/a?b=c#d`, { headers: [["X-Key", "k"]] });
    expect(answer).toMatchObject({
      ok: true,
      status: 201,
      statusText: "Made",
      url: `${url}/a?b=c`,
      redirected: false,
      body: "GET /a?b=c k bulkhead é",
      bodyEncoding: "utf8",
    });
    const headers = answer.ok ? answer.headers : [];
    expect(headers).toEqual(
      expect.arrayContaining([
        ["x-a", "1"],
        ["set-cookie", "a=1"],
        ["set-cookie", "b=2"],
      ]),
    );
    expect(headers.map(([name]) => name)).not.toContain("keep-alive");
  });

  it("as base64 when it is no text, and a sent body arrives byte by byte", async () => {
    const url = await serve((request, response) => void request.pipe(response));
    const bytes = Buffer.from([0xff, 0x00, 0xfe]).toString("base64");
    const answer = await fetchOnce(url, { method: "POST", body: bytes, bodyEncoding: "base64" });
    expect(answer).toMatchObject({ ok: true, body: bytes, bodyEncoding: "base64" });
  });

  it.each([204, 304])("without a body: %i, although it names a coding", async (status) => {
    const url = await serve((_, response) =>
      response.writeHead(status, { "content-encoding": "gzip" }).end(),
    );
    expect(await fetchOnce(url)).toMatchObject({ ok: true, status, body: "" });
  });

  it("an answer to HEAD has the headers and no body", async () => {
    const url = await serve((_, response) =>
      response.writeHead(200, { "content-encoding": "gzip", "content-length": "99" }).end(),
    );
    expect(await fetchOnce(url, { method: "HEAD" })).toMatchObject({ ok: true, status: 200, body: "" });
  });
});

it.each<[string, EgressRequest["headers"], string]>([
  ["takes anything where the tool doesn't say what", [], "*/*"],
  ["takes what the tool says", [["Accept", "text/css"]], "text/css"],
  ["takes what the tool says, even nothing", [["accept", ""]], ""],
])("a request %s", async (_, headers, accept) => {
  const url = await serve((request, response) => void response.end(request.headers.accept ?? "none"));
  expect(await fetchOnce(url, { headers })).toMatchObject({ ok: true, body: accept });
});

describe("compressed answers", () => {
  const text = "bulkhead ".repeat(100);
  it.each<[string, Buffer]>([
    ["gzip", gzipSync(text)],
    ["deflate", deflateSync(text)],
    ["deflate", deflateRawSync(text)],
    ["br", brotliCompressSync(text)],
    ["zstd", zstdCompressSync(text)],
    ["gzip, br", brotliCompressSync(gzipSync(text))],
  ])("%s is taken off, and the headers say so", async (coding, body) => {
    const url = await serve((_, response) =>
      response.writeHead(200, { "content-encoding": coding }).end(body),
    );
    const answer = await fetchOnce(url);
    expect(answer).toMatchObject({ ok: true, body: text });
    expect(JSON.stringify(answer)).not.toMatch(/content-(encoding|length)/);
  });

  it("an unknown coding is left on", async () => {
    const url = await serve((_, response) =>
      response.writeHead(200, { "content-encoding": "x-own" }).end("abc"),
    );
    const answer = await fetchOnce(url);
    expect(answer).toMatchObject({ ok: true, body: "abc" });
    expect(JSON.stringify(answer)).toMatch(/x-own/);
  });

  const zeros = Buffer.alloc(20_000_000);
  const BOMBS: [string, () => Buffer][] = [
    ["gzip", () => gzipSync(zeros)],
    ["br", () => brotliCompressSync(zeros)],
    ["zstd", () => zstdCompressSync(zeros)],
    ["gzip, gzip", () => gzipSync(Buffer.alloc(2_000_000, gzipSync("")))],
    ["gzip, gzip", () => gzipSync(gzipSync(zeros))],
  ];
  it.each(everyNth(BOMBS, 2))("a bomb stops at the run's bound: %s", async (coding, make) => {
    const bomb = make();
    const url = await serve((_, response) =>
      response.writeHead(200, { "content-encoding": coding }).end(bomb),
    );
    expect(codeOf(await fetchOnce(url))).toBe("network_limit");
  });

  it("bytes that travel compressed are bounded for one run together, whatever comes out of them", async () => {
    const empty = Buffer.concat(Array.from({ length: 4_000 }, () => gzipSync("")));
    const url = await serve((_, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(empty),
    );
    const session = origins.openSession({ bytesIn: 100_000 });
    const codes = [];
    for (let i = 0; i < 3; i += 1) codes.push(codeOf(await session.fetch(get(url), never)));
    expect(codes).toEqual([200, 200, "network_limit"]);
  });

  it("a broken stream is a failure that says so", async () => {
    const url = await serve((_, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end("no gzip"),
    );
    expect(await fetchOnce(url)).toMatchObject({
      code: "failed",
      message: expect.stringMatching(/can't be decompressed/),
    });
  });
});
