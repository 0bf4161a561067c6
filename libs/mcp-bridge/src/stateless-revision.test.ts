import type { EgressRequest } from "@bulkhead/core";
import { until } from "@bulkhead/testing";
import { createMcpHandler, Server } from "@modelcontextprotocol/server";
import { expect, it } from "vitest";
import { BridgeWorld, Heard, KEY, never, serverWith } from "./fixtures/bridge-world.ts";
import { MemoryEgress, type MemoryAnswer } from "./fixtures/memory-egress.ts";

/** A server that speaks revision 2026-07-28 and nothing else. */
function statelessServer(tools: () => string[], onCancelled: () => void) {
  const build = (): Server => {
    const server = new Server(
      { name: "stateless", version: "3" },
      {
        capabilities: { tools: { listChanged: true }, logging: {} },
        supportedProtocolVersions: ["2026-07-28"],
      },
    );
    server.setRequestHandler("tools/list", () => ({
      tools: tools().map((name) => ({ name, inputSchema: { type: "object" as const } })),
    }));
    server.setRequestHandler("tools/call", async ({ params }, context) => {
      if (params.name === "hang") {
        await new Promise<void>((done) => context.mcpReq.signal.addEventListener("abort", () => done()));
        onCancelled();
      }
      const progressToken = params._meta?.progressToken;
      if (progressToken !== undefined)
        await context.mcpReq.notify({
          method: "notifications/progress",
          params: { progressToken, progress: 1 },
        });
      await context.mcpReq.log("warning", "a line");
      return { content: [{ type: "text" as const, text: JSON.stringify(params.arguments) }] };
    });
    return server;
  };
  return createMcpHandler(build, { legacy: "reject" });
}

async function askFetch(
  serve: (request: Request) => Promise<Response>,
  { url, method, headers, body }: EgressRequest,
  signal: AbortSignal,
): Promise<MemoryAnswer> {
  const response = await serve(new Request(url, { method, headers, body, signal }));
  const parts = response.body?.pipeThrough(new TextDecoderStream()) ?? [];
  return { status: response.status, headers: Object.fromEntries(response.headers), parts };
}

it("a server of the stateless revision is listed, called, cancelled and heard like any other", async () => {
  let tools = ["echo", "hang"];
  let cancelled = 0;
  const handler = statelessServer(
    () => tools,
    () => (cancelled += 1),
  );
  const world = new BridgeWorld();
  world.row = serverWith({ transport: "streamable-http", url: "https://mcp.example.com/mcp", command: null });
  const egress = new MemoryEgress((request, signal) =>
    askFetch((asked) => handler.fetch(asked), request, signal),
  );
  const servers = world.open({ egress, timing: { healthMs: 20, relistMs: 1, idleMs: 60_000 } });
  try {
    expect(await servers.refresh(KEY, never)).toMatchObject({
      ok: true,
      serverName: "stateless",
      protocol: "2026-07-28",
    });
    const heard = new Heard();
    const answer = await servers.call(world.call("echo"), heard, never);
    expect(answer).toMatchObject({ ok: true, resultJson: expect.stringContaining("hello") });
    expect([heard.progress, heard.lines]).toEqual([[{ progress: 1 }], ["warn: a line"]]);

    const stop = new AbortController();
    const hanging = servers.call(world.call("hang"), new Heard(), stop.signal);
    await until(() => world.outcomes.length === 1 && egress.openSessions > 1, { what: "the call has left" });
    stop.abort();
    expect(await hanging).toMatchObject({ ok: false, code: "aborted" });
    await until(() => cancelled === 1, { what: "the server has heard of it" });

    tools = ["echo", "hang", "new"];
    handler.notify.toolsChanged();
    await until(() => world.offered.length === 2, { what: "the new list is offered" });
    // Health checks have been answered meanwhile.
    expect(world.states).toEqual(["connecting", "connected"]);
  } finally {
    await servers.close();
    await handler.close();
  }
});
