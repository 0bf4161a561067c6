import { setTimeout as pause } from "node:timers/promises";
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
import type { Handler } from "./fixtures/scripted-launcher.ts";

afterEach(closeServers);

describe("a connection", () => {
  it("is in the store before whoever asked for it hears of it", async () => {
    const world = new BridgeWorld();
    const stored: string[] = [];
    const setState = async (_: unknown, { state }: { state: string }): Promise<void> => {
      await pause(5);
      stored.push(state);
    };
    await world.connected({ store: { find: () => Promise.resolve(world.row), setState } });
    expect(stored).toEqual(["connecting", "connected"]);
  });

  it("is closed and given back when nobody uses it", async () => {
    const world = new BridgeWorld();
    await world.connected({ timing: { healthMs: 5, idleMs: 10 } });
    await until(() => world.state === "idle" && world.hub.holders.size === 0, { what: "it is idle" });
    expect(world.launcher.last.isKilled).toBe(true);
  });

  it.each<[string, (world: BridgeWorld) => void, object]>([
    ["of a changed server is made anew", (world) => (world.row = serverWith({ revision: 2 })), { ok: true }],
    [
      "of a disabled server is closed",
      (world) => (world.row = serverWith({ revision: 2, enabled: false })),
      { ok: false, code: "unreachable", message: "the server is disabled: enable it" },
    ],
    [
      "of a server that is gone is closed",
      (world) => (world.row = null),
      { ok: false, code: "unreachable", message: "there is no such server any more" },
    ],
  ])("%s", async (_, change, expected) => {
    const world = new BridgeWorld();
    const servers = await world.connected();
    const first = world.launcher.last;
    change(world);
    expect(await servers.call(world.call("echo"), new Heard(), never)).toMatchObject(expected);
    expect(first.isKilled).toBe(true);
  });

  it("is closed where another process has the lease, and where Redis is away for too long", async () => {
    const world = new BridgeWorld();
    const servers = await world.connected({ timing: { leaseMs: 600 } });
    world.hub.holders.set("ten_a/files", "two");
    await until(() => world.launcher.last.isKilled, { what: "the first connection is closed" });
    expect(await servers.call(world.call("echo"), new Heard(), never)).toEqual({ holder: "two" });
    world.hub.holders.clear();
    await servers.refresh(KEY, never);
    expect(world.launcher.started).toHaveLength(2);
    world.hub.isAway = true;
    await until(() => world.launcher.last.isKilled, { what: "the second connection is closed" });
  });

  it("whose server refuses a call is looked at, and made anew where it refuses that too", async () => {
    const world = new BridgeWorld();
    const refuse: Handler = ({ id }, process) =>
      process.say({ id, error: { code: -32_000, message: "no valid session" } });
    world.launcher.answers["tools/call"] = refuse;
    const servers = await world.connected({ timing: { backoffMs: () => 1 } });
    const call = () => servers.call(world.call("echo"), new Heard(), never);
    expect(await call()).toMatchObject({ ok: false, code: "protocol_error" });
    await until(() => world.launcher.last.heard.some(({ method }) => method === "ping"), {
      what: "it is looked at",
    });
    expect(world.launcher.started).toHaveLength(1);
    world.launcher.answers["ping"] = refuse;
    await call();
    await until(() => world.launcher.started.length === 2, { what: "it is made anew" });
  });

  it("carries so many calls at a time, and others wait", async () => {
    const world = new BridgeWorld();
    world.launcher.answers["tools/call"] = () => undefined;
    const servers = await world.connected();
    const all = Array.from({ length: 30 }, () => servers.call(world.call("echo"), new Heard(), never));
    const calls = () => world.launcher.last.heard.filter(({ method }) => method === "tools/call");
    await until(() => calls().length === 24, { what: "the first ones are under way" });
    for (let done = 0; done < 30; done += 1) {
      const next = await until(() => calls()[done], { what: "the next one has come" });
      expect(calls().length - done).toBeLessThanOrEqual(24);
      world.launcher.last.answer(next, { content: [] });
    }
    expect((await Promise.all(all)).every((answer) => "ok" in answer && answer.ok)).toBe(true);
  });

  it.each([
    [{ config: "other.token" }, /the service "other", which isn't there/],
    [
      { config: "vault.one.key" },
      /"key" of the service "vault\.one", which has no value.*PATCH \S*\/vault\.one\/entries\/default\)/,
    ],
    [{ config: "empty.key" }, /"key" of the service "empty", which has no value.*POST \S*\/empty\/entries\)/],
  ])("that needs %o says what is missing", async (value, message) => {
    const world = new BridgeWorld();
    world.row = serverWith({ env: { TOKEN: value } });
    world.services = [serviceWith("s3cret-value"), { ...serviceWith(""), name: "empty", entries: [] }];
    const servers = world.open({ timing: { backoffMs: () => null } });
    expect(await servers.refresh(KEY, never)).toMatchObject({
      ok: false,
      message: expect.stringMatching(message),
    });
    await until(() => world.state === "failed", { what: "it has failed" });
  });
});
