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

afterEach(closeServers);

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
    // Floods are counted by the second: on a slow machine this one would last for several.
    vi.spyOn(performance, "now").mockReturnValue(performance.now());
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

  it.each([
    ["more than we may look at", 20_000, "more than 10000 parts"],
    ["more than may be parsed", 70_000, "more than 65536 names, objects and lists"],
  ])("and greets us with %s is not connected", async (_what, length, fault) => {
    const world = new BridgeWorld();
    const initialize = world.launcher.answers["initialize"];
    world.launcher.answers["initialize"] = (message, process) => ({
      ...(initialize?.(message, process) as object),
      serverInfo: { name: "wide", version: "1", icons: Array.from({ length }, () => ({})) },
    });
    const servers = world.open({ timing: { backoffMs: () => 60_000 } });
    expect(await servers.refresh(KEY, never)).toMatchObject({
      message: expect.stringContaining(fault),
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
