import { afterEach, describe, expect, it } from "vitest";
import { until } from "@bulkhead/testing";
import {
  BridgeWorld,
  closeServers,
  Heard,
  KEY,
  never,
  serverWith,
  serviceWith,
} from "./fixtures/bridge-world.ts";
import { tokenOf, toolNamed } from "./fixtures/scripted-launcher.ts";

afterEach(closeServers);

describe("a server", () => {
  it("is connected to once, by those who want it at the same time", async () => {
    const world = new BridgeWorld();
    const servers = world.open();
    const looks = await Promise.all([1, 2, 3].map(() => servers.refresh(KEY, never)));
    expect(looks).toMatchObject(
      [1, 2, 3].map(() => ({ ok: true, serverName: "scripted", serverVersion: "1.2.3" })),
    );
    expect(world.launcher.started).toHaveLength(1);
    expect(world.states).toEqual(["connecting", "connected"]);
    expect(servers.states()).toMatchObject({ connected: 1, idle: 0 });
  });

  it("answers a call as it is, and is told whose trace it belongs to", async () => {
    const world = new BridgeWorld();
    const servers = await world.connected();
    const heard = new Heard();
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const answer = await servers.call(world.call("echo", { traceparent }), heard, never);
    expect(answer).toMatchObject({
      ok: true,
      resultJson: '{"content":[{"type":"text","text":"{\\"text\\":\\"hello\\"}"}]}',
    });
    expect(heard.sent).toBe(1);
    expect(world.launcher.last.heard.at(-1)?.params).toMatchObject({ name: "echo", _meta: { traceparent } });
    expect(world.outcomes).toEqual(["answered"]);
  });

  it("is not asked where the sending was refused, or the tool is not the one that was approved", async () => {
    const world = new BridgeWorld();
    const servers = await world.connected();
    const refused = new Heard();
    refused.maySend = false;
    expect(await servers.call(world.call("echo"), refused, never)).toMatchObject({ code: "aborted" });
    const changed = new Heard();
    expect(await servers.call(world.call("echo", { pin: "other" }), changed, never)).toMatchObject({
      code: "tool_changed",
      message: expect.stringContaining("another tool by this name"),
    });
    expect(await servers.call(world.call("gone"), changed, never)).toMatchObject({ code: "tool_changed" });
    expect(changed.sent).toBe(0);
    expect(world.launcher.last.heard.map(({ method }) => method)).not.toContain("tools/call");
  });

  it("that changes its tools is listed anew before the next call", async () => {
    const world = new BridgeWorld();
    const servers = await world.connected({ timing: { relistMs: 1 } });
    const call = world.call("echo");
    world.launcher.tools = [toolNamed("echo", { description: "Does something else" }), toolNamed("new")];
    world.launcher.last.say({ method: "notifications/tools/list_changed" });
    await until(() => world.offered.length === 2, { what: "the new tools are offered" });
    expect(world.offered.at(-1)?.map(({ name }) => name)).toEqual(["echo", "new"]);
    expect(await servers.call(call, new Heard(), never)).toMatchObject({ ok: false, code: "tool_changed" });
    expect(await servers.call(world.call("new"), new Heard(), never)).toMatchObject({ ok: true });
    // What has not changed is not offered again.
    const lists = (): number =>
      world.launcher.last.heard.filter(({ method }) => method === "tools/list").length;
    const before = lists();
    world.launcher.last.say({ method: "notifications/tools/list_changed" });
    await until(() => lists() > before, { what: "the tools are listed again" });
    expect(await servers.call(world.call("new"), new Heard(), never)).toMatchObject({ ok: true });
    expect(world.offered).toHaveLength(2);
  });

  it("tells of progress and says lines, which are bounded and covered", async () => {
    const world = new BridgeWorld();
    world.row = serverWith({ env: { TOKEN: { config: "vault.one.token" } } });
    world.services = [serviceWith("s3cret-value")];
    world.launcher.answers["tools/call"] = ({ params }, process) => {
      const progressToken = tokenOf(params);
      const progress = { progressToken, progress: 1, total: 2, message: "half of s3cret-value" };
      process.say({ method: "notifications/progress", params: progress });
      const said = (level: string, data: unknown) =>
        process.say({ method: "notifications/message", params: { level, logger: "disk", data } });
      said("warning", "I hold s3cret-value");
      said("critical", { free: 0 });
      return { content: [{ type: "text", text: process.command.env["TOKEN"] }], isError: true };
    };
    const servers = await world.connected();
    const heard = new Heard();
    const answer = await servers.call(world.call("echo"), heard, never);
    expect(answer).toMatchObject({
      ok: true,
      resultJson: '{"content":[{"type":"text","text":"[REDACTED]"}],"isError":true}',
    });
    expect(heard.progress).toEqual([{ progress: 1, total: 2, message: "half of [REDACTED]" }]);
    expect(heard.lines).toEqual(["warn: disk: I hold [REDACTED]", 'error: disk: {"free":0}']);
  });

  it("hears of a call that was cancelled, and of one that takes too long", async () => {
    const world = new BridgeWorld();
    world.launcher.answers["tools/call"] = () => undefined;
    const servers = await world.connected();
    const stop = new AbortController();
    const cancelled = servers.call(world.call("echo"), new Heard(), stop.signal);
    const calls = () => world.launcher.last.heard.filter(({ method }) => method === "tools/call");
    await until(() => calls().length === 1, { what: "the call has arrived" });
    stop.abort();
    expect(await cancelled).toMatchObject({ ok: false, code: "aborted" });
    const late = await servers.call(world.call("echo", { timeoutMs: 20 }), new Heard(), never);
    expect(late).toMatchObject({ ok: false, code: "timeout" });
    const told = () => world.launcher.last.heard.filter(({ method }) => method === "notifications/cancelled");
    await until(() => told().length === 2, { what: "both calls are cancelled" });
    expect(told().map(({ params }) => params?.["requestId"])).toEqual(calls().map(({ id }) => id));
  });

  it("asks us nothing but a ping", async () => {
    const world = new BridgeWorld();
    await world.connected();
    world.launcher.last.say({
      id: "a",
      method: "sampling/createMessage",
      params: { messages: [], maxTokens: 1 },
    });
    world.launcher.last.say({ id: "b", method: "roots/list" });
    world.launcher.last.say({ id: "c", method: "ping" });
    const answers = () => world.launcher.last.heard.filter(({ method }) => method === undefined);
    await until(() => answers().length === 3, { what: "three answers" });
    const byId = Object.fromEntries(answers().map((answer) => [answer.id, answer.error ?? answer.result]));
    expect(byId).toMatchObject({ a: { code: -32_601 }, b: { code: -32_601 }, c: {} });
  });
});

it("what is listed or lost once another process may hold the server is kept to oneself", async () => {
  const world = new BridgeWorld();
  const leaseMs = 1_000;
  const routes = { ...world.hub.routesOf("one"), renew: () => new Promise<never>(() => undefined) };
  const servers = await world.connected({
    routes,
    timing: { leaseMs, relistMs: 1, backoffMs: () => 60_000 },
  });
  const from = performance.now();
  await until(() => performance.now() - from > leaseMs, { what: "the lease is over" });
  expect(await servers.call(world.call("echo"), new Heard(), never)).toMatchObject({ code: "unreachable" });
  world.launcher.tools = [toolNamed("echo", { description: "Does something else" })];
  world.launcher.last.say({ method: "notifications/tools/list_changed" });
  await until(() => servers.states().waiting === 1, { what: "the connection is given up" });
  expect([world.offered.length, world.state]).toEqual([1, "connected"]);
});
