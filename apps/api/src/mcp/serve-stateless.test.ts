import { ToolDefinitions } from "@bulkhead/agents";
import type { Signal, TenantPrincipal } from "@bulkhead/core";
import { expect, test } from "vitest";
import type { Asker } from "./asker.ts";
import type { McpDeps } from "./mcp-deps.ts";
import { serveStateless } from "./serve-stateless.ts";

const principal = { tenantId: "ten_1", agentId: null, role: "agent", approval: {} } as TenantPrincipal;
const LISTEN = {
  jsonrpc: "2.0",
  id: "listen",
  method: "subscriptions/listen",
  params: {
    notifications: { toolsListChanged: true },
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  },
};

/** A client that listens for changes, at a process whose store can be taken away. */
async function listening() {
  let isThere = true;
  const get: ToolDefinitions["get"] = async () => {
    if (!isThere) throw new Error("the store is away");
    return { json: Buffer.from("[]"), count: 0, omitted: 0 };
  };
  const heard = new Set<(signal: Signal) => void>();
  const signals = {
    subscribe: (listener: (signal: Signal) => void) => (heard.add(listener), () => heard.delete(listener)),
  };
  const told: string[] = [];
  const stopping = new AbortController();
  const left = new AbortController();
  const deps = {
    definitions: { get },
    signals,
    stopping: { streams: stopping.signal },
    report: (what: string) => void told.push(what),
  } as unknown as McpDeps;
  const exchange = { left: left.signal, leavingCancels: true, session: null };
  const asker = { principal, view: "all", now: async () => principal, exchange } as unknown as Asker;
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "subscriptions/listen",
  };
  const request = new Request("http://mcp.invalid/mcp", {
    method: "POST",
    headers,
    body: JSON.stringify(LISTEN),
    signal: left.signal,
  });
  const answer = await serveStateless(deps, asker, request, LISTEN);
  expect(answer.status).toBe(200);
  const away = (): void => {
    isThere = false;
    for (const hears of heard) hears({ type: "forget", kind: "tenant", id: "ten_1" });
  };
  return { text: answer.text(), told, heard, left, stopping, away };
}

test("a client that can't be told of changes any more is not left to wait for them", async () => {
  const { text, told, heard, away } = await listening();
  away();
  expect(await text).toContain('"id":"listen"');
  expect([told, heard.size]).toEqual([["telling an MCP client that its tools changed failed"], 0]);
});

test.each(["left", "stopping"] as const)(
  "the stream ends, and what it heard by, when %s fires",
  async (why) => {
    const opened = await listening();
    opened[why].abort();
    expect(await opened.text).toContain("acknowledged");
    await expect.poll(() => opened.heard.size).toBe(0);
  },
);
