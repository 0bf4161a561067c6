import { MCP_MESSAGE_BYTES_MAX, type EgressRequest } from "@bulkhead/core";
import { until } from "@bulkhead/testing";
import { afterEach, describe, expect, it } from "vitest";
import {
  BridgeWorld,
  closeServers,
  Heard,
  KEY,
  never,
  serverWith,
  serviceWith,
} from "./fixtures/bridge-world.ts";
import { MemoryEgress, type MemoryAnswer } from "./fixtures/memory-egress.ts";
import { textOf, toolNamed, type Message } from "./fixtures/scripted-launcher.ts";

afterEach(closeServers);

const json = (message: object): MemoryAnswer => ({
  headers: { "content-type": "application/json" },
  parts: [JSON.stringify({ jsonrpc: "2.0", ...message })],
});
const event = (message: object): string => `data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`;
const stream = (parts: MemoryAnswer["parts"]): MemoryAnswer => ({
  headers: { "content-type": "text/event-stream" },
  parts: parts ?? [],
});

type OnCall = (message: Message, request: EgressRequest) => MemoryAnswer | Promise<MemoryAnswer>;

/** A world with a server over streamable HTTP; `onCall` answers its calls. */
function worldWith(onCall: OnCall, change = {}, onGet = (): MemoryAnswer => ({ status: 405 })) {
  const world = new BridgeWorld();
  world.row = serverWith({
    transport: "streamable-http",
    url: "https://mcp.example.com/mcp",
    command: null,
    ...change,
  });
  const asked: EgressRequest[] = [];
  const egress = new MemoryEgress((request) => {
    asked.push(request);
    if (request.method !== "POST") return onGet();
    const message = JSON.parse(request.body ?? "null") as Message;
    const { id, method, params } = message;
    if (id === undefined) return { status: 202 };
    // What it has asked us it doesn't want to know.
    if (method === undefined) return new Promise<never>(() => undefined);
    if (method === "initialize")
      return json({
        id,
        result: {
          protocolVersion: params?.["protocolVersion"],
          capabilities: { tools: {} },
          serverInfo: { name: "web", version: "1" },
        },
      });
    if (method === "tools/list") return json({ id, result: { tools: [toolNamed("echo")] } });
    if (method === "ping") return json({ id, result: {} });
    if (method === "tools/call") return onCall(message, request);
    return json({ id, error: { code: -32_601, message: "Method not found" } });
  });
  const servers = world.open({ egress, timing: { backoffMs: () => 60_000 } });
  return { world, egress, asked, servers };
}

async function callOnce(onCall: OnCall, hooks = new Heard()) {
  const { world, egress, asked, servers } = worldWith(onCall);
  await servers.refresh(KEY, never);
  const answer = await servers.call(world.call("echo", { timeoutMs: 5_000 }), hooks, never);
  return { answer, world, egress, asked, servers };
}

describe("a request", () => {
  it("goes to the server's own host alone, with its headers and what stands for its secrets", async () => {
    const { world, egress, asked, servers } = worldWith(() => json({}), {
      headers: { "x-token": { config: "vault.one.token" }, "x-region": "north", accept: "text/html" },
    });
    world.services = [serviceWith("s3cret-value", ["mcp.example.com"])];
    expect(await servers.refresh(KEY, never)).toMatchObject({ ok: true, serverName: "web" });
    const { allowedHosts, secrets, tenantId } = egress.openings[0] ?? {};
    expect({ allowedHosts, tenantId }).toEqual({ allowedHosts: ["mcp.example.com:443"], tenantId: "ten_a" });
    const [placed] = secrets ?? [];
    expect(placed?.secret).toMatchObject({ value: "s3cret-value", hosts: ["mcp.example.com"] });
    const headers = Object.fromEntries(asked.at(-1)?.headers ?? []);
    expect(headers).toMatchObject({ "x-token": placed?.placeholder, "x-region": "north" });
    expect(headers["accept"]).toBe("application/json, text/event-stream");
    expect(JSON.stringify(asked)).not.toContain("s3cret");
  });

  it("has a session of its own, which ends with its answer", async () => {
    const { answer, egress } = await callOnce(({ id }) => stream([event({ id, result: { content: [] } })]));
    expect(answer).toMatchObject({ ok: true });
    await until(() => egress.openSessions === 0, { what: "no session is open" });
    expect(egress.openings.length).toBeGreaterThan(4);
  });

  it("is given up with its call, and the server is told", async () => {
    const { world, egress, asked, servers } = worldWith(() => new Promise(() => undefined));
    await servers.refresh(KEY, never);
    const stop = new AbortController();
    const answer = servers.call(world.call("echo"), new Heard(), stop.signal);
    await until(() => asked.at(-1)?.body?.includes("tools/call"), { what: "the call has left" });
    stop.abort();
    expect(await answer).toMatchObject({ ok: false, code: "aborted" });
    await until(() => egress.openSessions === 0, { what: "its session is closed" });
    expect(asked.some(({ body }) => body?.includes("notifications/cancelled"))).toBe(true);
  });
});

it("a stream that its server ends again and again is not asked for at once, nor after its call", async () => {
  const ended = (): MemoryAnswer => stream(["retry: 0\nid: 1\ndata:\n\n"]);
  const { world, egress, asked, servers } = worldWith(ended, {}, ended);
  await servers.refresh(KEY, never);
  const call = world.call("echo", { timeoutMs: 1_500 });
  expect(await servers.call(call, new Heard(), never)).toMatchObject({ code: "timeout" });
  // Of the call and of the connection.
  expect(asked.filter(({ method }) => method === "GET").length).toBeLessThan(10);
  const before = egress.openings.length;
  await until(() => egress.openings.length > before + 2, {
    what: "the connection's own stream is asked for",
  });
  expect(servers.states()).toMatchObject({ connected: 1 });
});

it("a server that asks and never takes an answer is answered a bounded number of times", async () => {
  const pings = Array.from({ length: 500 }, (_, id) => event({ id, method: "ping" }));
  const onGet = () => stream(pings);
  const { egress, asked, servers } = worldWith(() => json({}), {}, onGet);
  await servers.refresh(KEY, never);
  const answers = () => asked.filter(({ body }) => body?.includes("result"));
  await until(() => answers().length >= 90, { what: "it was answered" });
  expect(egress.openSessions).toBeLessThanOrEqual(100);
  await servers.drop(KEY);
  expect([egress.openSessions, answers().length <= 100]).toEqual([0, true]);
});

it("a server that greets us is not connected", async () => {
  const { world } = worldWith(() => json({}));
  const icons = Array.from({ length: 100_000 }, () => ({}));
  const egress = new MemoryEgress(({ body }) => {
    const { id } = JSON.parse(body ?? "{}") as Message;
    const said = { resultType: "complete", supportedVersions: ["2026-07-28"], capabilities: { tools: {} } };
    return json({ id, result: { ...said, serverInfo: { name: "web", version: "1", icons } } });
  });
  const servers = world.open({ egress, timing: { backoffMs: () => 60_000 } });
  expect(await servers.refresh(KEY, never)).toMatchObject({
    message: expect.stringContaining("larger than 262144 bytes"),
  });
});

describe("a call", () => {
  it.each<[string, OnCall, string]>([
    [
      "that is answered with a list of messages is lost",
      ({ id }) => ({
        headers: { "content-type": "application/json" },
        parts: [" ", JSON.stringify([{ jsonrpc: "2.0", id, result: { content: [] } }])],
      }),
      "connection_lost",
    ],
    ["whose stream ends is lost", () => stream([": hello\n\n"]), "connection_lost"],
    [
      "whose stream breaks is lost",
      () =>
        stream(
          (function* () {
            yield ": hello\n\n";
            throw new Error("reset");
          })(),
        ),
      "connection_lost",
    ],
    ["that finds no session is lost", () => ({ status: 404 }), "connection_lost"],
    [
      "that is refused has the server's words",
      () => ({ status: 403, parts: ["not for you"] }),
      "protocol_error",
    ],
    [
      "that is answered by a document that is too large fails",
      () => ({
        headers: { "content-type": "application/json" },
        parts: Array.from({ length: 17 }, () => "x".repeat(MCP_MESSAGE_BYTES_MAX / 16)),
      }),
      "too_large",
    ],
    [
      "that is answered by an event that is too large fails",
      () => stream(["data: ", ...Array.from({ length: 17 }, () => "x".repeat(MCP_MESSAGE_BYTES_MAX / 16))]),
      "too_large",
    ],
    [
      "that is answered by no JSON-RPC fails",
      () => ({ headers: { "content-type": "text/html" } }),
      "protocol_error",
    ],
    [
      "that is redirected elsewhere is not sent there",
      () => ({ status: 307, headers: { location: "https://169.254.169.254/" } }),
      "protocol_error",
    ],
    [
      "that asks for a person's input fails",
      ({ id }) => json({ id, result: { resultType: "input_required", inputRequests: {} } }),
      "protocol_error",
    ],
  ])("%s", async (_, onCall, code) => {
    const { answer, asked } = await callOnce(onCall);
    expect(answer).toMatchObject({ ok: false, code });
    expect(asked.every(({ url }) => url === "https://mcp.example.com/mcp")).toBe(true);
  });

  it("is resumed where its events have names", async () => {
    let hasResumed = false;
    const onCall: OnCall = () => stream(["retry: 1\nid: 1\ndata: \n\n"]);
    const { world, servers, egress } = worldWith(onCall);
    await servers.refresh(KEY, never);
    const call = world.call("echo");
    const before = egress.openings.length;
    const stop = new AbortController();
    const answer = servers.call(call, new Heard(), stop.signal);
    // The client asks for the rest by GET.
    await until(() => (hasResumed = egress.openings.length > before + 1), {
      what: "the stream is asked for again",
    });
    stop.abort();
    expect([hasResumed, await answer]).toMatchObject([true, { code: "aborted" }]);
  });

  it("hears the lines of its own stream, while others go on", async () => {
    const both = Promise.withResolvers<void>();
    let asked = 0;
    const { world, servers } = worldWith(({ id, params }) => {
      if (++asked === 2) both.resolve();
      const text = textOf(params);
      return stream(
        (async function* () {
          await both.promise;
          yield event({
            method: "notifications/message",
            params: { level: "info", data: `line of ${text}` },
          });
          yield event({ id, result: { content: [] } });
        })(),
      );
    });
    await servers.refresh(KEY, never);
    const heard = ["a", "b"].map((text) => ({ argumentsJson: JSON.stringify({ text }), hooks: new Heard() }));
    await Promise.all(
      heard.map(({ argumentsJson, hooks }) =>
        servers.call(world.call("echo", { argumentsJson }), hooks, never),
      ),
    );
    expect(heard.map(({ hooks }) => hooks.lines)).toEqual([["info: line of a"], ["info: line of b"]]);
  });
});
