import { ToolDefinitions } from "@bulkhead/agents";
import type { Signal, TenantPrincipal } from "@bulkhead/core";
import { expect, test } from "vitest";
import { changedTools, completeParameter, listTools, markTools } from "./tool-list.ts";
import type { ListedTool, View } from "./views.ts";

const principal = { tenantId: "ten_1", agentId: null, role: "agent", approval: {} } as TenantPrincipal;

const toolsOf = (count: number): ListedTool[] =>
  Array.from({ length: count }, (_, n) => ({
    name: `tool_${String(count - n).padStart(5, "0")}`,
    description: "Does something that is worth a sentence of some words.",
    inputSchema: {
      type: "object",
      properties: { text: { type: "string" }, unit: { enum: ["km", "kg", "m"] } },
    },
  }));

/** Definitions that stay the same object until others are put there. */
function definitionsOf(tools: ListedTool[]) {
  const written = (list: ListedTool[]) => ({
    json: Buffer.from(JSON.stringify(list)),
    count: list.length,
    omitted: 0,
  });
  let now = written(tools);
  const get: ToolDefinitions["get"] = async () => now;
  return { definitions: { get }, put: (list: ListedTool[]) => void (now = written(list)) };
}

async function pages(count: number, view: View) {
  const deps = definitionsOf(toolsOf(count));
  const names: string[] = [];
  let cursor: string | undefined;
  let asked = 0;
  do {
    const page = await listTools(deps, principal, view, cursor);
    names.push(...page.tools.map(({ name }) => name));
    cursor = page.nextCursor;
    asked += 1;
  } while (cursor !== undefined);
  return { names, asked };
}

test("all tools come once, by name, in pages that are bounded", async () => {
  const { names, asked } = await pages(1_000, "all");
  expect(names.length).toBe(1_001);
  expect(new Set(names).size).toBe(1_001);
  expect(names.slice(1)).toEqual(names.slice(1).toSorted());
  expect(asked).toBe(5);
});

test("a page goes on behind the one before, although tools come and go meanwhile", async () => {
  const deps = definitionsOf(toolsOf(300));
  const first = await listTools(deps, principal, "all", undefined);
  const last = first.tools.at(-1)?.name ?? "";
  deps.put(toolsOf(300).filter(({ name }) => name !== last));
  const second = await listTools(deps, principal, "all", first.nextCursor);
  expect((second.tools[0]?.name ?? "") > last).toBe(true);
});

test.each(["", "x", "dG9vbA==", "%"])("the cursor %j is none", async (cursor) => {
  await expect(listTools(definitionsOf([]), principal, "all", cursor)).rejects.toThrow("cursor");
});

/** Tokens of JSON text by the usual estimate for English and JSON: four characters each. */
const tokensOf = (value: unknown): number => JSON.stringify(value).length / 4;

test("the view of search costs less than 1,000 tokens for 10,000 tools, and is what such a tenant gets", async () => {
  const deps = definitionsOf(toolsOf(10_000));
  const { tools, nextCursor } = await listTools(deps, principal, "search", undefined);
  expect(tools.map(({ name }) => name)).toEqual([
    "search_tools",
    "describe_tools",
    "call_tool",
    "get_execution",
  ]);
  expect(tokensOf({ tools })).toBeLessThan(1_000);
  expect(nextCursor).toBeUndefined();
  expect(await listTools(deps, principal, undefined, undefined)).toEqual({ tools });
});

test("a tenant with few tools sees each, and the view of code has a script beside search", async () => {
  const deps = definitionsOf(toolsOf(40));
  expect((await listTools(deps, principal, undefined, undefined)).tools.length).toBe(41);
  const code = await listTools(deps, principal, "code", undefined);
  expect(code.tools.map(({ name }) => name)).toContain("run_code");
});

test("a tool whose calls may wait for a person promises no data", async () => {
  const outputSchema = { type: "object" } as const;
  const inputSchema = { type: "object" } as const;
  const plain = { name: "a", description: "", inputSchema, outputSchema };
  const asks = { ...plain, name: "b", _meta: { "bulkhead/requiresConfirmation": true } };
  const { tools } = await listTools(definitionsOf([plain, asks]), principal, "all", undefined);
  expect(tools.map((tool) => [tool.name, "outputSchema" in tool]).slice(1)).toEqual([
    ["a", true],
    ["b", false],
  ]);
});

test("values of an enum are completed, and nothing else", async () => {
  const deps = definitionsOf(toolsOf(1));
  const complete = (tool: string, parameter: string, prefix: string) =>
    completeParameter(deps, principal, tool, parameter, prefix);
  expect(await complete("tool_00001", "unit", "k")).toEqual(["km", "kg"]);
  expect(await complete("tool_00001", "text", "k")).toEqual([]);
  expect(await complete("tool_00001", "constructor", "")).toEqual([]);
  expect(await complete("nobody", "unit", "k")).toEqual([]);
});

test("a list that changed is told of, by the tenant's word alone, and one that stayed is not", async () => {
  const deps = definitionsOf(toolsOf(2));
  const hearers = new Set<(signal: Signal) => void>();
  const signals = {
    subscribe: (hear: (signal: Signal) => void) => {
      hearers.add(hear);
      return () => hearers.delete(hear);
    },
  };
  const tell = (id: string) => hearers.forEach((hear) => hear({ type: "forget", kind: "tools", id }));
  const over = new AbortController();
  const since = await markTools(deps, principal, "all");
  const how = { since, signal: over.signal, now: async () => principal };
  const marks = changedTools({ ...deps, signals }, principal, "all", how);
  const next = marks.next();
  tell("ten_1");
  deps.put(toolsOf(3));
  tell("ten_2");
  tell("ten_1");
  expect((await next).value).toBe(await markTools(deps, principal, "all"));
  const after = marks.next();
  over.abort();
  expect(await after).toEqual({ done: true, value: undefined });
  expect(hearers.size).toBe(0);
});

test("the endpoint's own tools are those that the tenant's policy leaves, and a change of it is told", async () => {
  const deps = { ...definitionsOf(toolsOf(2)), signals: { subscribe: () => () => undefined } };
  const by = (forbid: string[]): TenantPrincipal => ({
    ...principal,
    policy: { version: 1, document: { forbid }, mcpVersion: 0, mcp: {} },
  });
  const listed = async (who: TenantPrincipal) =>
    (await listTools(deps, who, "code", undefined)).tools.map(({ name }) => name);
  expect(await listed(by(["run_code", "call_tool"]))).toEqual([
    "search_tools",
    "describe_tools",
    "get_execution",
  ]);
  expect(await listed(by(["nothing"]))).toEqual(await listed(principal));
  const over = new AbortController();
  const how = {
    since: await markTools(deps, principal, "code"),
    signal: over.signal,
    now: async () => by(["run_code"]),
  };
  const { value } = await changedTools(deps, principal, "code", how).next();
  expect(value).toBe(await markTools(deps, by(["run_code"]), "code"));
  expect(value).not.toBe(how.since);
  over.abort();
});

test("the view of search never changes", async () => {
  const deps = definitionsOf(toolsOf(2));
  const before = await markTools(deps, principal, "search");
  deps.put(toolsOf(3));
  expect(await markTools(deps, principal, "search")).toBe(before);
});
