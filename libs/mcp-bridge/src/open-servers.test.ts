import { afterEach, describe, expect, it, vi } from "vitest";
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

describe("a server that misbehaves", () => {
  it("and dies during a call, loses it, says its last words and is started again", async () => {
    const world = new BridgeWorld();
    world.launcher.answers["tools/call"] = (_, process) => process.die("out of disk");
    const servers = await world.connected({ timing: { backoffMs: () => 1 } });
    const lost = await servers.call(world.call("echo"), new Heard(), never);
    expect(lost).toMatchObject({
      ok: false,
      code: "connection_lost",
      message: "the server's process ended; it said: out of disk",
    });
    await until(() => world.launcher.started.length === 2 && world.state === "connected", {
      what: "it is connected again",
    });
    expect(world.states).toContain("waiting: the server's process ended; it said: out of disk");
    expect(world.reconnects).toBe(1);
  });

  it("has failed after so many tries, and is tried again when a person asks", async () => {
    const world = new BridgeWorld();
    world.launcher.refusal = "this machine can't keep it in";
    const servers = world.open({ timing: { backoffMs: (failures) => (failures >= 3 ? null : 1) } });
    expect(await servers.refresh(KEY, never)).toMatchObject({
      ok: false,
      message: "this machine can't keep it in",
    });
    await until(() => world.state === "failed" && world.hub.holders.size === 0, { what: "it has failed" });
    expect(world.failures).toBe(1);
    expect(world.row).toMatchObject({ failures: 3, stateReason: "this machine can't keep it in" });
    const heard = new Heard();
    const refused = await servers.call(world.call("echo"), heard, never);
    expect(refused).toMatchObject({ code: "unreachable", message: expect.stringContaining("refresh it") });
    expect(heard.sent).toBe(0);
    world.launcher.refusal = null;
    expect(await servers.refresh(KEY, never)).toMatchObject({ ok: true });
    expect(world.row).toMatchObject({ state: "connected", failures: 0, stateReason: null });
  });

  it.each([
    [
      "sends a message that is too large",
      (say: (text: string) => void) => say("x".repeat(17 * 1024 * 1024)),
      "too_large",
    ],
    [
      "answers with parts without end",
      (say: (text: string) => void, id: unknown) =>
        say(`{"jsonrpc":"2.0","id":${String(id)},"result":{"content":[${"{},".repeat(100_000)}{}]}}\n`),
      "too_large",
    ],
    [
      "floods us with answers that nobody asked for",
      (say: (text: string) => void) => say('{"jsonrpc":"2.0","id":7777,"result":{}}\n'.repeat(5_000)),
      "connection_lost",
    ],
    [
      "floods us with what is no message",
      (say: (text: string) => void) => say("Listening\n".repeat(5_000)),
      "connection_lost",
    ],
    [
      "floods us with what answers nothing",
      (say: (text: string) => void) =>
        say(
          '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}\n'.repeat(
            5_000,
          ),
        ),
      "connection_lost",
    ],
  ])("and %s loses its connection", async (_, flood, code) => {
    const world = new BridgeWorld();
    world.launcher.answers["tools/call"] = ({ id }, process) => flood((text) => process.say(text), id);
    const servers = await world.connected({ timing: { backoffMs: () => 60_000 } });
    const heard = new Heard();
    expect(await servers.call(world.call("echo"), heard, never)).toMatchObject({ ok: false, code });
    expect(heard.lines.length).toBeLessThanOrEqual(1_001);
    await until(() => world.state === "waiting", { what: "the connection is lost" });
    expect(world.launcher.last.isKilled).toBe(true);
    // A call in the pause is refused without being sent.
    const next = await servers.call(world.call("echo"), heard, never);
    expect(next).toMatchObject({
      code: "unreachable",
      message: expect.stringContaining("tried again by itself"),
    });
    expect(heard.sent).toBe(1);
  });

  it("and asks, but never reads an answer, is ended", async () => {
    const world = new BridgeWorld();
    await world.connected({ timing: { backoffMs: () => 60_000 } });
    world.launcher.last.input.pause();
    for (let n = 0; n < 500; n += 1)
      world.launcher.last.say({ id: `${n}${"x".repeat(1_000)}`, method: "ping" });
    await until(() => world.state === "waiting", { what: "the connection is lost" });
    expect(world.row?.stateReason).toContain("does not take 100 messages");
  });

  it("and takes its time for each page of its list is not waited for", async () => {
    const world = new BridgeWorld();
    let page = 0;
    world.launcher.answers["tools/list"] = (message, process) => {
      page += 1;
      void vi
        .advanceTimersByTimeAsync(20_000)
        .then(() => process.answer(message, { tools: [], nextCursor: String(page) }));
    };
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const servers = world.open({ timing: { backoffMs: () => 60_000 } });
      expect(await servers.refresh(KEY, never)).toMatchObject({
        message: "the server's list of tools took longer than 30000 ms",
      });
      expect(page).toBe(2);
    } finally {
      vi.useRealTimers();
    }
  });

  it("and greets us with parts without end is not connected", async () => {
    const world = new BridgeWorld();
    const initialize = world.launcher.answers["initialize"];
    world.launcher.answers["initialize"] = (message, process) => ({
      ...(initialize?.(message, process) as object),
      serverInfo: { name: "wide", version: "1", icons: Array.from({ length: 100_000 }, () => ({})) },
    });
    const servers = world.open({ timing: { backoffMs: () => 60_000 } });
    expect(await servers.refresh(KEY, never)).toMatchObject({
      message: expect.stringContaining("more than 10000 parts"),
    });
  });

  it("and prints what is no message is heard all the same", async () => {
    const world = new BridgeWorld();
    world.launcher.answers["tools/call"] = (_, process) => {
      process.say("Listening on stdio...\n\n{}\n");
      return { content: [] };
    };
    const servers = await world.connected();
    expect(await servers.call(world.call("echo"), new Heard(), never)).toMatchObject({ ok: true });
  });

  it("and does not answer a health check is lost", async () => {
    const world = new BridgeWorld();
    await world.connected({ timing: { healthMs: 5, backoffMs: () => 60_000 } });
    world.launcher.answers["ping"] = (message, process) =>
      process.say({ id: message.id, error: { code: -32_000, message: "no" } });
    await until(() => world.state === "waiting", { what: "the check has failed" });
    expect(world.row?.stateReason).toContain("health check");
  });

  it("has no more secrets in its reasons than elsewhere", async () => {
    const world = new BridgeWorld();
    world.row = serverWith({ env: { TOKEN: { config: "vault.one.token" } } });
    world.services = [serviceWith("s3cret-value")];
    world.launcher.answers["initialize"] = (_, process) =>
      process.die(`bad token ${process.command.env["TOKEN"]}`);
    const servers = world.open({ timing: { backoffMs: () => 60_000 } });
    expect(await servers.refresh(KEY, never)).toMatchObject({
      ok: false,
      message: "the server's process ended; it said: bad token [REDACTED]",
    });
    expect(world.row?.stateReason).toContain("bad token [REDACTED]");
    expect(JSON.stringify([world.states, world.reports])).not.toContain("s3cret");
  });
});
