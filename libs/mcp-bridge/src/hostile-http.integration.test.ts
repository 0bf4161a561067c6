import type { IncomingMessage } from "node:http";
import { MCP_MESSAGE_BYTES_MAX } from "@bulkhead/core";
import { openEgressBroker, parseEgressAllow } from "@bulkhead/egress";
import { everyNth, until } from "@bulkhead/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  BridgeWorld,
  Heard,
  KEY,
  never,
  plainScrubbers,
  serverWith,
  serviceWith,
} from "./fixtures/bridge-world.ts";
import { beginEvents, HttpServer, sendJson, type Asked } from "./fixtures/http-server.ts";
import { textOf, toolNamed } from "./fixtures/scripted-launcher.ts";
import type { Servers, ServersDeps } from "./open-servers.ts";

const SECRET = "s3cret-of-the-server";

let world: BridgeWorld;
let server: HttpServer;
let url: string;
let open: { close(): Promise<void> }[] = [];

beforeEach(async () => {
  world = new BridgeWorld();
  server = new HttpServer();
  server.tools = [toolNamed("echo")];
  url = await server.listen();
  world.row = serverWith({ transport: "streamable-http", url, command: null });
  open = [server];
});
afterEach(async () => {
  for (const one of open.toReversed()) await one.close();
});

function openServers(change: Partial<ServersDeps> = {}, allowed = "127.0.0.0/8"): Servers {
  const allow = parseEgressAllow(allowed);
  if (!allow.ok) throw new Error("no such rule");
  const egress = openEgressBroker({ allow: allow.rules, scrubbers: byteScrubbers });
  const servers = world.open({ egress, ...change });
  open.push(egress, servers);
  return servers;
}

/** Covers nothing in answers, so that what is covered is the bridge's own work. */
const byteScrubbers: typeof plainScrubbers = {
  open: (opening) => ({
    ...plainScrubbers.open(opening),
    bytes: () => ({ push: (chunk: Uint8Array) => chunk, end: () => new Uint8Array() }),
  }),
};

async function connected(change: Partial<ServersDeps> = {}): Promise<Servers> {
  const servers = openServers(change);
  expect(await servers.refresh(KEY, never)).toMatchObject({ ok: true });
  return servers;
}

const SLOW = { timing: { backoffMs: () => 60_000 } };

describe("a server", () => {
  it("gets its headers, the secrets among them in place of what stands for them", async () => {
    world.services = [serviceWith(SECRET, ["127.0.0.1"])];
    world.row = serverWith({
      transport: "streamable-http",
      url,
      headers: { "X-Region": "north", "X-Token": { config: "vault.one.token" }, Accept: "text/plain" },
    });
    server.answers["tools/call"] = ({ request }) => ({
      content: [{ type: "text", text: `you sent ${String(request.headers["x-token"])}` }],
    });
    const servers = await connected();
    expect(server.headers.at(-1)).toMatchObject({ "x-region": "north", "x-token": SECRET });
    expect(server.headers[0]?.accept).toBe("application/json, text/event-stream");
    const answer = await servers.call(world.call("echo"), new Heard(), never);
    expect(answer).toMatchObject({
      resultJson: '{"content":[{"type":"text","text":"you sent [REDACTED]"}]}',
    });
  });

  it("is not sent a secret that may not go to it, and its state says what to do", async () => {
    world.services = [serviceWith(SECRET, ["api.example.com"])];
    world.row = serverWith({
      transport: "streamable-http",
      url,
      headers: { "X-Token": { config: "vault.one.token" } },
    });
    const look = await openServers(SLOW).refresh(KEY, never);
    expect(look).toMatchObject({
      ok: false,
      message: expect.stringContaining('the secret "token" of the service "vault.one"'),
    });
    expect(world.row?.stateReason).toContain("PATCH /api/v1/config-services/vault.one");
    expect(server.asked).toEqual([]);
  });

  it("is told that its session is over", async () => {
    const servers = await connected();
    await servers.drop(KEY);
    expect(server.asked.at(-1)).toBe("DELETE");
  });

  it("may be silent for longer than egress waits for others", async () => {
    const allow = parseEgressAllow("127.0.0.0/8");
    if (!allow.ok) throw new Error("no such rule");
    const egress = openEgressBroker({ allow: allow.rules, scrubbers: byteScrubbers, requestMsMax: 200 });
    open.push(egress);
    server.answers["tools/call"] = ({ message, response }) =>
      void setTimeout(() => sendJson(response, { id: message.id, result: { content: [] } }), 600);
    const servers = await connected({ egress });
    expect(await servers.call(world.call("echo"), new Heard(), never)).toMatchObject({ ok: true });
  });
});

describe("a server that misbehaves", () => {
  it("and is on a private address that nobody has allowed is not asked", async () => {
    const look = await openServers(SLOW, "").refresh(KEY, never);
    expect(look).toMatchObject({ ok: false, message: expect.stringMatching(/127\.0\.0\.1/) });
    expect(world.state).toBe("waiting");
    expect(server.headers).toEqual([]);
  });

  it.each([301, 302, 303, 307, 308])("and redirects elsewhere by %i is not followed", async (status) => {
    const target = new HttpServer();
    open.push(target);
    const elsewhere = await target.listen();
    server.intercept = (_, response) => {
      response.writeHead(status, { location: elsewhere }).end();
      return true;
    };
    expect(await openServers(SLOW).refresh(KEY, never)).toMatchObject({ ok: false });
    expect(target.headers).toEqual([]);
  });

  it("and redirects to another place of its own is followed where the method stays", async () => {
    const redirected = (request: IncomingMessage): boolean => request.url === "/mcp";
    server.intercept = (request, response) => {
      if (redirected(request)) response.writeHead(307, { location: "/elsewhere" }).end();
      return redirected(request);
    };
    server.answers["tools/call"] = ({ response }) => void (beginEvents(response), response.end());
    const servers = await connected();
    // Of a redirected call, too, it is noticed that its stream has ended.
    expect(await servers.call(world.call("echo"), new Heard(), never)).toMatchObject({
      code: "connection_lost",
    });
  });

  it("and never answers is given up", async () => {
    server.answers["initialize"] = () => undefined;
    const look = await openServers({ timing: { connectMs: 300, backoffMs: () => 60_000 } }).refresh(
      KEY,
      never,
    );
    expect(look).toMatchObject({
      ok: false,
      message: "the server let itself be waited for longer than 300 ms",
    });
  });

  it("and never answers a call loses it by time", async () => {
    server.answers["tools/call"] = () => undefined;
    const servers = await connected();
    const answer = await servers.call(world.call("echo", { timeoutMs: 300 }), new Heard(), never);
    expect(answer).toMatchObject({ ok: false, code: "timeout" });
    await until(() => server.asked.includes("notifications/cancelled"), { what: "the server is told" });
  });

  it.each<[string, (asked: Asked) => void]>([
    ["ends the connection", ({ response }) => void response.destroy()],
    [
      "breaks its stream",
      ({ response }) => void (beginEvents(response), setImmediate(() => response.destroy())),
    ],
    ["ends its stream", ({ response }) => void (beginEvents(response), response.end())],
    ["knows the session no more", ({ response }) => void response.writeHead(404).end()],
  ])("and %s in a call loses it, and is looked at", async (_, end) => {
    const servers = await connected();
    server.answers["tools/call"] = end;
    const answer = await servers.call(world.call("echo"), new Heard(), never);
    expect(answer).toMatchObject({ ok: false, code: "connection_lost" });
  });

  it("and is started anew is connected to anew", async () => {
    const servers = await connected({ timing: { backoffMs: () => 1 } });
    server.answers["tools/call"] = ({ response }) => void response.writeHead(404).end();
    expect(await servers.call(world.call("echo"), new Heard(), never)).toMatchObject({
      code: "connection_lost",
    });
    server.answers["tools/call"] = () => ({ content: [] });
    await until(() => world.reconnects === 1 && world.state === "connected", {
      what: "it is connected again",
    });
    expect(await servers.call(world.call("echo"), new Heard(), never)).toMatchObject({ ok: true });
  });

  it.each(everyNth(["as one document", "as an event"], 2))(
    "and answers 10 MB %s is heard, and 17 MB is not",
    async (how) => {
      let bytes = 10 * 1024 * 1024;
      server.answers["tools/call"] = ({ message, response }) => {
        const answer = { id: message.id, result: { content: [{ type: "text", text: "x".repeat(bytes) }] } };
        if (how === "as one document") return sendJson(response, answer);
        beginEvents(response)(answer);
        return void response.end();
      };
      const servers = await connected();
      const large = await servers.call(world.call("echo"), new Heard(), never);
      expect("resultJson" in large && large.resultJson.length).toBeGreaterThan(bytes);
      bytes = MCP_MESSAGE_BYTES_MAX + 1;
      const tooLarge = await servers.call(world.call("echo"), new Heard(), never);
      expect(tooLarge).toMatchObject({ ok: false, code: "too_large" });
      expect(world.state).toBe("connected");
    },
  );

  it("and floods a call with notes loses its connection", async () => {
    server.answers["tools/call"] = ({ response }) => {
      const say = beginEvents(response);
      for (let at = 0; at < 5_000; at += 1)
        say({ method: "notifications/message", params: { level: "info", data: at } });
    };
    const servers = await connected(SLOW);
    const heard = new Heard();
    const answer = await servers.call(world.call("echo"), heard, never);
    expect(answer).toMatchObject({
      code: "connection_lost",
      message: expect.stringContaining("messages in a second"),
    });
    expect(heard.lines.length).toBeLessThanOrEqual(1_001);
  });

  it.each([
    [401, "the server answered with HTTP status 401"],
    [500, "the server answered with HTTP status 500"],
  ])("and answers %i says so in its state", async (status, message) => {
    server.intercept = (_, response) => {
      response.writeHead(status, { "content-type": "text/plain" }).end("no such key");
      return true;
    };
    expect(await openServers(SLOW).refresh(KEY, never)).toMatchObject({
      ok: false,
      message: expect.stringContaining(message),
    });
  });

  it("and says lines of two calls at a time says each to its own", async () => {
    const both = Promise.withResolvers<void>();
    let asked = 0;
    server.answers["tools/call"] = ({ message, response }) => {
      const say = beginEvents(response);
      const text = textOf(message.params);
      if (++asked === 2) both.resolve();
      void both.promise.then(() => {
        say({ method: "notifications/message", params: { level: "info", data: `line of ${text}` } });
        say({ id: message.id, result: { content: [] } });
        response.end();
      });
    };
    const servers = await connected();
    const heard = ["a", "b"].map((text) => ({ text, hooks: new Heard() }));
    await Promise.all(
      heard.map(({ text, hooks }) =>
        servers.call(world.call("echo", { argumentsJson: JSON.stringify({ text }) }), hooks, never),
      ),
    );
    expect(heard.map(({ hooks }) => hooks.lines)).toEqual([["info: line of a"], ["info: line of b"]]);
  });

  it("and lists bad tools among good ones offers the good ones", async () => {
    server.tools = [toolNamed("good"), { name: "bad" }, toolNamed("late")];
    await connected();
    expect(world.offered.at(-1)?.map(({ name }) => name)).toEqual(["good", "late"]);
    expect(world.reports).toEqual(["a server's tool is left out: its inputSchema is no object"]);
  });

  it("and lists pages without end is listed as far as a list may go", async () => {
    let page = 0;
    server.answers["tools/list"] = () => ({
      tools: [toolNamed(`t${(page += 1)}`)],
      nextCursor: String(page),
    });
    await connected();
    expect(world.offered.at(-1)).toHaveLength(50);
  });
});
