import type { McpBridge, McpRoutes } from "@bulkhead/core";
import { until } from "@bulkhead/testing";
import { afterEach, describe, expect, it } from "vitest";
import { BridgeWorld, closeServers, Heard, KEY, never } from "./fixtures/bridge-world.ts";
import { tokenOf } from "./fixtures/scripted-launcher.ts";
import { openMcpBridge } from "./open-mcp-bridge.ts";

const LEASE_MS = 600;

let bridges: McpBridge[] = [];
afterEach(async () => {
  for (const bridge of bridges) await bridge.close();
  bridges = [];
  await closeServers();
});

/** A process of the world's: a worker, or one that holds no servers. */
async function processOf(
  world: BridgeWorld,
  self: string,
  isWorker = true,
  more: Partial<McpRoutes> = {},
): Promise<McpBridge> {
  const routes = { ...world.hub.routesOf(self), ...more };
  const bridge = await openMcpBridge({
    routes,
    servers: isWorker ? world.open({ routes, timing: { leaseMs: LEASE_MS, backoffMs: () => 60_000 } }) : null,
    workers: () =>
      Promise.resolve([...world.hub.listeners.keys()].filter((name) => name.startsWith("worker"))),
    report: (what, error) => world.reports.push(`${what}: ${String(error)}`),
    leaseMs: LEASE_MS,
  });
  bridges.push(bridge);
  return bridge;
}

const toolCalls = (world: BridgeWorld) =>
  world.launcher.started.flatMap(({ heard }) => heard.filter(({ method }) => method === "tools/call"));

describe("a call", () => {
  it("of a process that holds nothing goes to a worker, with all that is said meanwhile", async () => {
    const world = new BridgeWorld();
    world.launcher.answers["tools/call"] = ({ params }, process) => {
      const progressToken = tokenOf(params);
      process.say({ method: "notifications/progress", params: { progressToken, progress: 1 } });
      process.say({ method: "notifications/message", params: { level: "info", data: "a line" } });
      return { content: [] };
    };
    const api = await processOf(world, "api", false);
    await processOf(world, "worker1");
    expect(await api.refresh(KEY, never)).toMatchObject({ ok: true, serverName: "scripted" });
    const heard = new Heard();
    expect(await api.call(world.call("echo"), heard, never)).toMatchObject({
      ok: true,
      resultJson: '{"content":[]}',
    });
    expect([heard.sent, heard.progress, heard.lines]).toEqual([1, [{ progress: 1 }], ["info: a line"]]);
  });

  it("whose answer is too large for a message is told so", async () => {
    const world = new BridgeWorld();
    const api = await processOf(world, "api", false);
    await processOf(world, "worker1");
    expect(await api.refresh(KEY, never)).toMatchObject({ ok: true });
    world.hub.messageMax = 10_000;
    const text = "x".repeat(10_000);
    world.launcher.answers["tools/call"] = () => ({ content: [{ type: "text", text }] });
    expect(await api.call(world.call("echo"), new Heard(), never)).toMatchObject({ code: "too_large" });
  });

  it("that is too large for a message to its worker is answered so at once", async () => {
    const world = new BridgeWorld();
    const api = await processOf(world, "api", false);
    await processOf(world, "worker1");
    expect(await api.refresh(KEY, never)).toMatchObject({ ok: true });
    world.hub.messageMax = 1_000;
    const argumentsJson = JSON.stringify({ text: "x".repeat(1_000) });
    expect(await api.call(world.call("echo", { argumentsJson }), new Heard(), never)).toMatchObject({
      ok: false,
      code: "too_large",
    });
    expect(toolCalls(world)).toEqual([]);
  });

  it("whose answer can't be told at once is told later", async () => {
    const world = new BridgeWorld();
    const api = await processOf(world, "api", false);
    await processOf(world, "worker1");
    expect(await api.refresh(KEY, never)).toMatchObject({ ok: true });
    world.launcher.answers["tools/call"] = () => {
      world.hub.full.add("api");
      return { content: [] };
    };
    // So is the question whether the call may leave.
    world.hub.full.add("api");
    expect(await api.call(world.call("echo"), new Heard(), never)).toMatchObject({ ok: true });
  });

  it("goes to the worker that is connected, and never makes a second connection", async () => {
    const world = new BridgeWorld();
    const one = await processOf(world, "worker1");
    const two = await processOf(world, "worker2");
    expect(await one.refresh(KEY, never)).toMatchObject({ ok: true });
    const answers = await Promise.all(
      [one, two, two].map((bridge) => bridge.call(world.call("echo"), new Heard(), never)),
    );
    expect(answers.every(({ ok }) => ok)).toBe(true);
    expect(world.launcher.started).toHaveLength(1);
  });

  it("that its own process withdraws is not sent", async () => {
    const world = new BridgeWorld();
    await (await processOf(world, "worker1")).refresh(KEY, never);
    const two = await processOf(world, "worker2");
    const refusing = new Heard();
    refusing.maySend = false;
    expect(await two.call(world.call("echo"), refusing, never)).toMatchObject({ ok: false, code: "aborted" });
    const broken = Object.assign(new Heard(), { onSend: () => Promise.reject(new Error("away")) });
    expect(await two.call(world.call("echo"), broken, never)).toMatchObject({ ok: false, code: "aborted" });
    expect(toolCalls(world)).toEqual([]);
  });

  it("that is cancelled is cancelled at its server", async () => {
    const world = new BridgeWorld();
    world.launcher.answers["tools/call"] = () => undefined;
    await (await processOf(world, "worker1")).refresh(KEY, never);
    const two = await processOf(world, "worker2");
    const stop = new AbortController();
    const answer = two.call(world.call("echo"), new Heard(), stop.signal);
    await until(() => toolCalls(world).length === 1, { what: "the call has arrived" });
    stop.abort();
    expect(await answer).toMatchObject({ ok: false, code: "aborted" });
    const cancelled = () =>
      world.launcher.last.heard.some(({ method }) => method === "notifications/cancelled");
    await until(cancelled, { what: "the server is told" });
  });

  it("that was sent is lost with the worker that had sent it", async () => {
    const world = new BridgeWorld();
    world.launcher.answers["tools/call"] = () => undefined;
    await (await processOf(world, "worker1")).refresh(KEY, never);
    const two = await processOf(world, "worker2");
    const answer = two.call(world.call("echo"), new Heard(), never);
    await until(() => toolCalls(world).length === 1, { what: "the call has arrived" });
    world.hub.kill("worker1");
    expect(await answer).toMatchObject({ ok: false, code: "connection_lost" });
  });

  it("that was not sent is taken over where its worker is dead", async () => {
    const world = new BridgeWorld();
    await (await processOf(world, "worker1")).refresh(KEY, never);
    const two = await processOf(world, "worker2");
    // It holds the lease still, and hears nothing any more.
    world.hub.listeners.delete("worker1");
    const answer = two.call(world.call("echo"), new Heard(), never);
    world.hub.kill("worker1");
    expect(await answer).toMatchObject({ ok: true });
    expect(world.launcher.started).toHaveLength(2);
  });

  it("that was asked of another worker meanwhile is not let out of the first one", async () => {
    const world = new BridgeWorld();
    const api = await processOf(world, "api", false);
    // It doesn't notice that it holds the server no more.
    await processOf(world, "worker1", true, { renew: () => Promise.resolve([]) });
    await api.refresh(KEY, never);
    await processOf(world, "worker2");
    const first = Promise.withResolvers<boolean>();
    const heard = new Heard();
    const onSend = (): Promise<boolean> => ((heard.sent += 1) === 1 ? first.promise : Promise.resolve(true));
    const answer = api.call(world.call("echo"), Object.assign(heard, { onSend }), never);
    await until(() => heard.sent === 1, { what: "the first worker would send it" });
    world.hub.holders.set("ten_a/files", "worker2");
    expect(await answer).toMatchObject({ ok: true });
    const told: string[] = [];
    world.hub.listeners.set("worker1", (message) => told.push(message));
    first.resolve(true);
    await until(() => told.length > 0, { what: "the first worker is told" });
    expect(JSON.parse(told[0] ?? "")).toMatchObject({ type: "go", may: false });
  });

  it.each([
    ["no worker is there", () => undefined, "no worker is there"],
    ["Redis is away", (world: BridgeWorld) => void (world.hub.isAway = true), ""],
  ])("where %s is refused, unsent", async (_, harm, words) => {
    const world = new BridgeWorld();
    const api = await processOf(world, "api", false);
    harm(world);
    const heard = new Heard();
    const refused = await api.call(world.call("echo"), heard, never);
    expect(refused).toMatchObject({
      ok: false,
      code: "unreachable",
      message: expect.stringContaining(words),
    });
    expect(await api.refresh(KEY, never)).toMatchObject({ ok: false });
    expect(heard.sent).toBe(0);
    world.hub.isAway = false;
  });
});

it("a change of a server ends its connection, wherever that is", async () => {
  const world = new BridgeWorld();
  const api = await processOf(world, "api", false);
  await (await processOf(world, "worker1")).refresh(KEY, never);
  expect(await api.isHeld(KEY)).toBe(true);
  await api.drop(KEY);
  expect(world.launcher.last.isKilled).toBe(true);
  expect(await api.isHeld(KEY)).toBe(false);
  // Nobody holds it: there is nothing to do.
  await api.drop(KEY);
  expect(world.reports).toEqual([]);
});

it("a process that closes loses its calls, and those who wait for it are told", async () => {
  const world = new BridgeWorld();
  world.launcher.answers["tools/call"] = () => undefined;
  const one = await processOf(world, "worker1");
  await one.refresh(KEY, never);
  const two = await processOf(world, "worker2");
  const calls = [one, two].map((bridge) => bridge.call(world.call("echo"), new Heard(), never));
  await until(() => toolCalls(world).length === 2, { what: "both calls have arrived" });
  await one.close();
  for (const answer of await Promise.all(calls))
    expect(answer).toMatchObject({ ok: false, code: "connection_lost" });
  expect(world.state).toBe("idle");
});

it.each([
  "no JSON",
  "null",
  "[]",
  '{"type":"call","id":"1","from":"x"}',
  '{"type":"call","id":"1","from":"x","call":{"tenantId":1}}',
  '{"type":"constructor","id":"1","from":"x"}',
  '{"type":"answer","id":"1","answer":{"ok":true}}',
  '{"type":"log","id":"1","lines":[1]}',
])("a message that is none is told of and harms nobody: %s", async (text) => {
  const world = new BridgeWorld();
  const one = await processOf(world, "worker1");
  world.hub.listeners.get("worker1")?.(text);
  expect(world.reports).toHaveLength(1);
  expect(await one.refresh(KEY, never)).toMatchObject({ ok: true });
});

it("a message that comes too late harms nobody", async () => {
  const world = new BridgeWorld();
  const one = await processOf(world, "worker1");
  for (const late of [
    { type: "go", from: "x", may: true },
    { type: "cancel", from: "x" },
    { type: "send" },
    { type: "moved" },
  ])
    world.hub.listeners.get("worker1")?.(JSON.stringify({ id: "gone", ...late }));
  expect(await one.refresh(KEY, never)).toMatchObject({ ok: true });
  expect(world.reports).toEqual([]);
});
