import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { McpTransport } from "@bulkhead/core";
import { openEgressBroker, parseEgressAllow } from "@bulkhead/egress";
import { everyNth, freePort, until } from "@bulkhead/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BridgeWorld, Heard, KEY, never, plainScrubbers, serverWith } from "./fixtures/bridge-world.ts";
import { spawnLauncher } from "./fixtures/spawn-launcher.ts";
import type { Servers } from "./open-servers.ts";

const ENTRY = fileURLToPath(
  new URL("../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js", import.meta.url),
);

/** The server as its own users start it over HTTP; it tells when it listens. */
async function startEverything(mode: string): Promise<{ child: ChildProcess; port: number }> {
  const port = await freePort();
  const child = spawn(process.execPath, [ENTRY, mode], {
    env: { PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
  await until(() => /(running|listening) on port/.test(said), { what: `${mode} listens` });
  return { child, port };
}

function openBroker() {
  const allow = parseEgressAllow("127.0.0.0/8");
  if (!allow.ok) throw new Error("no such rule");
  return openEgressBroker({ allow: allow.rules, scrubbers: plainScrubbers });
}

/** The older way over HTTP at night alone; what is its own is shown elsewhere. */
const TRANSPORTS: [McpTransport, string | null, string][] = [
  ["streamable-http", "streamableHttp", "/mcp"],
  ["sse", "sse", "/sse"],
  ["stdio", null, ""],
];

describe.each(everyNth(TRANSPORTS, 2))("server-everything over %s", (transport, mode, path) => {
  const world = new BridgeWorld();
  const broker = openBroker();
  let servers: Servers;
  let child: ChildProcess | null = null;

  beforeAll(async () => {
    const started = mode === null ? null : await startEverything(mode);
    child = started?.child ?? null;
    world.row = serverWith({
      transport,
      url: started ? `http://127.0.0.1:${started.port}${path}` : null,
      command: process.execPath,
      args: [ENTRY, "stdio"],
    });
    servers = world.open({ egress: broker, launcher: spawnLauncher });
    expect(await servers.refresh(KEY, never)).toMatchObject({ ok: true });
  });
  afterAll(async () => {
    await servers.close();
    await broker.close();
    if (child) {
      const ended = once(child, "close");
      child.kill("SIGKILL");
      await ended;
    }
  });

  const call = async (tool: string, args: object, heard = new Heard(), signal = never) => {
    const answer = await servers.call(
      world.call(tool, { argumentsJson: JSON.stringify(args) }),
      heard,
      signal,
    );
    if (!("ok" in answer)) throw new Error(`held by ${answer.holder}`);
    return (answer.ok ? JSON.parse(answer.resultJson) : answer) as Record<string, unknown>;
  };

  it("offers its tools", () => {
    const names = world.offered.at(-1)?.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(["echo", "get-sum", "get-tiny-image", "get-structured-content"]),
    );
    expect(names).not.toContain("get-roots-list");
  });

  it("answers with text, with values and with images", async () => {
    expect(await call("echo", { message: "hello" })).toMatchObject({
      content: [{ type: "text", text: "Echo: hello" }],
    });
    expect(await call("get-sum", { a: 2, b: 3 })).toMatchObject({
      content: [{ text: expect.stringContaining("5") }],
    });
    const image = await call("get-tiny-image", {});
    expect(image).toMatchObject({
      content: expect.arrayContaining([expect.objectContaining({ type: "image" })]),
    });
    const weather = await call("get-structured-content", { location: "Chicago" });
    expect(weather).toMatchObject({ structuredContent: { temperature: expect.any(Number) } });
    const resource = await call("get-resource-reference", { resourceType: "Text", resourceId: 1 });
    expect(resource).toMatchObject({
      content: expect.arrayContaining([expect.objectContaining({ type: "resource" })]),
    });
    const links = await call("get-resource-links", { count: 2 });
    expect(links).toMatchObject({
      content: expect.arrayContaining([expect.objectContaining({ type: "resource_link" })]),
    });
    const annotated = await call("get-annotated-message", { messageType: "error", includeImage: true });
    expect(annotated).toMatchObject({
      content: expect.arrayContaining([expect.objectContaining({ type: "image" })]),
    });
  });

  it("says that a call is wrong by its result, or by the protocol's error", async () => {
    const wrong = await call("get-sum", { a: "two" });
    expect(wrong["isError"] === true || wrong["code"] === "protocol_error").toBe(true);
  });

  it("tells of progress to the call that it belongs to", async () => {
    const heard = [new Heard(), new Heard()] as const;
    const calls = heard.map((one, at) =>
      call("trigger-long-running-operation", { duration: 0.4, steps: 4 + at }, one),
    );
    for (const answer of await Promise.all(calls))
      expect(answer).toMatchObject({ content: expect.anything() });
    for (const [at, { progress }] of heard.entries()) {
      // The last note may come with the answer itself, over the former transport too late.
      expect(progress.length).toBeGreaterThanOrEqual(3);
      expect(progress[0]).toEqual({ progress: 1, total: 4 + at });
    }
  });

  it("is told that a call is cancelled", async () => {
    const stop = new AbortController();
    const heard = new Heard();
    const answer = call("trigger-long-running-operation", { duration: 60, steps: 600 }, heard, stop.signal);
    await until(() => heard.progress.length > 0, { what: "it is under way" });
    stop.abort();
    expect(await answer).toMatchObject({ ok: false, code: "aborted" });
    expect(await call("echo", { message: "still here" })).toMatchObject({ content: expect.anything() });
    expect(world.launcher.started).toHaveLength(0);
    expect(world.states).toEqual(["connecting", "connected"]);
  });
});
