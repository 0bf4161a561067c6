import { createServer as createTlsServer } from "node:https";
import type { TLSSocket } from "node:tls";
import { afterEach, describe, expect, it } from "vitest";
import { codeOf, get, LIMITS, LocalOrigins, never, TestSession } from "./local-origins.ts";
import { makeSelfSigned } from "@bulkhead/process/self-signed";

const origins = new LocalOrigins();
afterEach(() => origins.close());

describe("a run's limits", () => {
  it("of requests hold for requests at the same time", async () => {
    const url = await origins.serve((_, response) => response.end("x"));
    const session = origins.openSession({ networkRequests: 2 });
    const answers = await Promise.all([1, 2, 3, 4].map(() => session.fetch(get(url), never)));
    expect(answers.map(codeOf).map(String).sort()).toEqual(["200", "200", "network_limit", "network_limit"]);
  });

  it("of bytes in are shared by all answers, exactly", async () => {
    const url = await origins.serve((_, response) => response.end("12345"));
    const session = origins.openSession({ bytesIn: 10 });
    const codes = [];
    for (let i = 0; i < 3; i += 1) codes.push(codeOf(await session.fetch(get(url), never)));
    expect(codes).toEqual([200, 200, "network_limit"]);
  });

  it("of bytes out are counted before anything is sent", async () => {
    let seen = 0;
    const url = await origins.serve((_, response) => {
      seen += 1;
      response.end();
    });
    const session = origins.openSession({ bytesOut: 4 });
    const post = () => session.fetch(get(url, { method: "POST", body: "éa" }), never);
    expect([codeOf(await post()), codeOf(await post()), seen]).toEqual([200, "network_limit", 1]);
  });

  it("are each run's own", async () => {
    const url = await origins.serve((_, response) => response.end("x"));
    const broker = origins.openBroker("127.0.0.0/8");
    for (let i = 0; i < 3; i += 1) {
      const session = broker.open({ ...LIMITS, networkRequests: 1 });
      expect(codeOf(await session.fetch(get(url), never))).toBe(200);
    }
  });
});

describe("a server that misbehaves", () => {
  const HEAD = "HTTP/1.1 200 OK\r\n";
  const endless = (
    socket: { write: (text: string) => boolean; once: (event: "drain", next: () => void) => unknown },
    text: string,
  ): void => {
    while (socket.write(text));
    socket.once("drain", () => endless(socket, text));
  };
  it.each<[string, Parameters<LocalOrigins["serveRaw"]>[0], string, RegExp]>([
    ["never answers", () => undefined, "timeout", /longer than 300 ms/],
    [
      "sends its headers byte by byte",
      (socket) => void socket.write("HTTP/1.1 200 O"),
      "timeout",
      /longer than/,
    ],
    [
      "sends a body without end",
      (socket) => endless(socket.on("error", () => undefined) && socket, `${HEAD}\r\n${"x".repeat(9_999)}`),
      "network_limit",
      /bytes in responses/,
    ],
    [
      "sends interim answers without end",
      (socket) => endless(socket, "HTTP/1.1 102 Processing\r\n\r\n"),
      "timeout",
      /longer than/,
    ],
    [
      "sends headers without end",
      (socket) => endless(socket, `${HEAD}${"x-a: 1\r\n".repeat(99)}`.replaceAll(HEAD, "")),
      "failed",
      /not valid HTTP|too large/,
    ],
    [
      "sends large headers",
      (socket) => void socket.write(`${HEAD}x-a: ${"a".repeat(40_000)}\r\n\r\n`),
      "failed",
      /headers are too large/,
    ],
    [
      "sends many headers",
      (socket) => void socket.write(`${HEAD}${"x-a: 1\r\n".repeat(9_999)}\r\n`),
      "failed",
      /headers are too large/,
    ],
    [
      "answers as HTTP/0.9 did",
      (socket) => void socket.end("<html>hello</html>"),
      "failed",
      /not valid HTTP/,
    ],
    [
      "answers with an interim status for good",
      (socket) => void socket.write("HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n"),
      "timeout",
      /longer than/,
    ],
    [
      "puts a line break into a chunk's size",
      (socket) => void socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n1\n\r\nx\r\n0\r\n\r\n`),
      "failed",
      /not valid HTTP/,
    ],
    ["speaks no HTTP", (socket) => void socket.write("220 mail ESMTP\r\n"), "failed", /not valid HTTP/],
    [
      "gives two lengths",
      (socket) => void socket.write(`${HEAD}content-length: 1\r\ncontent-length: 2\r\n\r\nab`),
      "failed",
      /not valid HTTP|shorter or longer/,
    ],
    [
      "gives a length and chunks",
      (socket) =>
        void socket.write(`${HEAD}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
      "failed",
      /not valid HTTP|shorter or longer/,
    ],
    [
      "closes before the end",
      (socket) => void socket.end(`${HEAD}content-length: 10\r\n\r\nabc`),
      "failed",
      /closed|shorter/,
    ],
    ["closes at once", (socket) => void socket.destroy(), "failed", /closed the connection/],
    [
      "switches protocols",
      (socket) => void socket.write("HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
      "failed",
      /./,
    ],
  ])("%s", async (_, talk, code, message) => {
    const url = await origins.serveRaw(talk);
    // An end that must come before the timeout gets all the time that a busy machine takes.
    const requestMsMax = code === "timeout" ? 300 : 20_000;
    const answer = await origins.openSession({}, { requestMsMax }).fetch(get(url), never);
    expect(answer).toMatchObject({ ok: false, code, message: expect.stringMatching(message) });
    expect(JSON.stringify(answer)).not.toMatch(/node_modules|undici|UND_ERR/);
  });

  it("stops in the middle of a body", async () => {
    const url = await origins.serveRaw((socket) => socket.write(`${HEAD}content-length: 10\r\n\r\nabc`));
    // Its head must have come by then.
    const answer = await origins.openSession({}, { requestMsMax: 3_000 }).fetch(get(url), never);
    const message = expect.stringMatching(/nothing more of the response came for 3000 ms/);
    expect(answer).toMatchObject({ ok: false, code: "timeout", message });
    expect(JSON.stringify(answer)).not.toMatch(/node_modules|undici|UND_ERR/);
  });

  it("is waited for as long as an opening says, not the broker", async () => {
    const url = await origins.serve((_, response) => {
      // Later than the broker would wait, for the head and again for the rest.
      setTimeout(() => response.write("abc"), 400);
      setTimeout(() => response.end("d"), 800);
    });
    const patient = origins.openBroker("127.0.0.0/8", { requestMsMax: 100 });
    const answer = await patient.open(LIMITS, { waitMsMax: 60_000 }).fetch(get(url), never);
    expect(answer).toMatchObject({ ok: true, body: "abcd" });
    const others = patient.open(LIMITS).session.withSecrets([], 60_000);
    expect(await new TestSession(others).fetch(get(url), never)).toMatchObject({ ok: true, body: "abcd" });
    const silent = await origins.serve(() => undefined);
    const hasty = origins.openBroker("127.0.0.0/8", { requestMsMax: 60_000 });
    const refused = await hasty.open(LIMITS, { waitMsMax: 100 }).fetch(get(silent), never);
    expect(refused).toMatchObject({ ok: false, code: "timeout" });
  });

  it("that isn't there is a failure that names no address behind a name", async () => {
    const port = await origins.serve(() => undefined).then((url) => new URL(url).port);
    await origins.close();
    const broker = origins.openBroker("127.0.0.0/8", { lookup: async () => ["127.0.0.1"] });
    const answer = await broker.open(LIMITS).fetch(get(`http://gone.test:${port}/`), never);
    expect(answer).toEqual({
      ok: false,
      code: "failed",
      message: "the request to gone.test failed: it refused the connection",
    });
  });
});

describe("aborting", () => {
  it.each(["before", "while"])("%s the request ends it", async (when) => {
    const stop = new AbortController();
    const url = await origins.serve(() => stop.abort());
    if (when === "before") stop.abort();
    const session = origins.openSession();
    expect(codeOf(await session.fetch(get(url), stop.signal))).toBe("aborted");
    expect(session.requests).toBe(when === "before" ? 0 : 1);
  });

  it("in the middle of a body ends it, and the server sees the connection go", async () => {
    const stop = new AbortController();
    let gone: () => void;
    const closed = new Promise<void>((resolve) => (gone = resolve));
    const url = await origins.serve((_, response) => {
      response.on("close", () => gone()).write("x");
      setImmediate(() => stop.abort());
    });
    expect(codeOf(await origins.openSession().fetch(get(url), stop.signal))).toBe("aborted");
    await closed;
  });

  it("closing the broker ends what is under way and refuses what comes after", async () => {
    const broker = origins.openBroker("127.0.0.0/8");
    const session = broker.open(LIMITS);
    let asked: () => void;
    const seen = new Promise<void>((resolve) => (asked = resolve));
    const url = await origins.serve(() => asked());
    const answer = session.fetch(get(url), never);
    await seen;
    await broker.close();
    expect(codeOf(await answer)).toBe("aborted");
    expect(codeOf(await session.fetch(get(url), never))).toBe("aborted");
  });
});

describe("https", () => {
  const identity = makeSelfSigned(["secure.test"]);
  const open = async (allow: string, ca?: string) => {
    const server = createTlsServer(identity, (request, response) => {
      const { servername, alpnProtocol } = request.socket as TLSSocket & { servername?: string };
      response.end(`${request.headers.host} ${servername} ${alpnProtocol}`);
    });
    const port = await origins.listen(server);
    const broker = origins.openBroker(allow, { lookup: async () => ["127.0.0.1"], ...(ca ? { ca } : {}) });
    return {
      port,
      fetch: (name: string) => broker.open(LIMITS).fetch(get(`https://${name}:${port}/`), never),
    };
  };

  it("goes to the checked address, and keeps the name in SNI and Host", async () => {
    const { port, fetch } = await open("127.0.0.0/8", identity.cert);
    expect(await fetch("secure.test")).toMatchObject({
      status: 200,
      body: `secure.test:${port} secure.test http/1.1`,
    });
  });

  it("refuses a certificate for another host, and one that nobody trusts", async () => {
    const trusted = await open("127.0.0.0/8", identity.cert);
    expect(await trusted.fetch("other.test")).toMatchObject({
      code: "failed",
      message: expect.stringMatching(/for another host/),
    });
    const untrusted = await open("127.0.0.0/8");
    expect(await untrusted.fetch("secure.test")).toMatchObject({
      code: "failed",
      message: expect.stringMatching(/not trusted/),
    });
  });

  it("does not fall back to plain text", async () => {
    const url = await origins.serve((_, response) => response.end("plain"));
    const answer = await origins.openSession().fetch(get(url.replace("http:", "https:")), never);
    expect(answer).toMatchObject({ code: "failed", message: expect.stringMatching(/does not speak TLS/) });
  });
});
