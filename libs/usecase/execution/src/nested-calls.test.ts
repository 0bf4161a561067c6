import { CALL_TREE_MAX, RUN_LIMITS_DEFAULT, type Tool } from "@bulkhead/domain";
import { describe, expect, test } from "vitest";
import { toListable } from "./callable-tools.ts";
import { withCalls, type NestedCallDeps } from "./nested-calls.ts";
import type { HeldAttempt } from "./tool-calls.ts";

const CALLER: HeldAttempt = {
  tenantId: "ten_a",
  executionId: "exe_1",
  attempt: 1,
  toolId: "tool_a",
  toolName: "a",
  toolVersion: 1,
  argumentsJson: "{}",
  context: {},
  byAgent: false,
  callers: [],
  tree: { calls: 0 },
  callerGone: null,
  slot: null,
  deadlineAt: new Date(0),
};
const tool = (name: string, fields: Partial<Tool> = {}): Tool =>
  ({
    id: `tool_${name}`,
    name,
    description: `is ${name}`,
    parameters: { type: "object" },
    status: "active",
    requiresApproval: false,
    version: 1,
    ...fields,
  }) as Tool;
const BUILT_IN = { name: "web_fetch", description: "fetches", parameters: { type: "object" } };
const NEVER = new AbortController().signal;

/** The calls of `caller`, of a tenant with these tools; every run of a stored tool is refused as too late. */
function callsOf(caller: Partial<HeldAttempt> = {}, tools: Tool[] = [], nestedCalls = 10) {
  const deps = {
    findTool: (_: string, ref: string) => Promise.resolve(tools.find(({ name }) => name === ref) ?? null),
    listActiveTools: () => Promise.resolve(tools.map(toListable)),
    provider: { listTools: () => [BUILT_IN], callTool: () => Promise.resolve({ ok: true, value: "page" }) },
    schemas: { checkArguments: () => Promise.resolve([]) },
    executions: { beginNested: () => Promise.resolve("not_active") },
    clock: () => new Date(0),
    report: () => undefined,
  } as unknown as NestedCallDeps;
  const limits = { ...RUN_LIMITS_DEFAULT, nestedCalls };
  return withCalls(deps).openCalls({ ...CALLER, ...caller }, limits, null);
}
const namesIn = async (calls: ReturnType<typeof callsOf>): Promise<string[]> => {
  const answer = await calls.list();
  const listed = answer.ok ? (JSON.parse(answer.body ?? "") as { name: string }[]) : [];
  return listed.map(({ name }) => name);
};

describe("a call", () => {
  test("of a built-in tool is answered by it, and by the tenant's own where that has the name", async () => {
    expect(await callsOf().call("web_fetch", "{}", NEVER)).toMatchObject({ ok: true, body: '"page"' });
    const own = callsOf({}, [tool("web_fetch")]);
    expect(await own.call("web_fetch", "{}", NEVER)).toMatchObject({ code: "tool_not_found" });
  });

  test("beyond the run's limit is refused, whatever it calls", async () => {
    const calls = callsOf({}, [], 1);
    expect(await calls.call("nowhere", "{}", NEVER)).toMatchObject({ code: "tool_not_found" });
    expect(await calls.call("web_fetch", "{}", NEVER)).toMatchObject({ code: "call_limit" });
  });

  test("beyond what one execution may lead to is refused at every depth", async () => {
    const tree = { calls: CALL_TREE_MAX - 1 };
    expect(await callsOf({ tree }).call("web_fetch", "{}", NEVER)).toMatchObject({ ok: true });
    expect(await callsOf({ tree }).call("web_fetch", "{}", NEVER)).toMatchObject({ code: "call_limit" });
  });

  test.each(["null", "[]", "1", "{", '"x"'])("with %s as its arguments is refused", async (json) => {
    expect(await callsOf().call("web_fetch", json, NEVER)).toMatchObject({ code: "invalid_request" });
  });

  test.each([
    ["disabled", { status: "disabled" }, {}, "tool_not_found"],
    ["waiting for approval", { status: "pending_approval" }, {}, "tool_not_found"],
    ["the caller itself", { id: "tool_a" }, {}, "tool_not_allowed"],
    ["a caller's caller", { id: "tool_z" }, { callers: ["tool_z", null] }, "tool_not_allowed"],
    ["a level too deep", {}, { callers: ["1", "2", "3", "4"] }, "call_limit"],
    [
      "for a person to confirm, by an agent",
      { requiresApproval: true },
      { byAgent: true },
      "tool_not_allowed",
    ],
    ["that for a person, by a person", { requiresApproval: true }, {}, "tool_not_found"],
    ["disabled meanwhile", {}, {}, "tool_not_found"],
  ] as const)("of a tool that is %s is refused", async (_, fields, caller, code) => {
    const calls = callsOf(caller, [tool("b", fields)]);
    expect(await calls.call("b", "{}", NEVER)).toMatchObject({ ok: false, code });
  });
});

describe("the list", () => {
  test("has what can be called from here, the tenant's before the built-in ones", async () => {
    const tools = [tool("b"), tool("self", { id: "tool_a" }), tool("sensitive", { requiresApproval: true })];
    expect(await namesIn(callsOf({}, tools))).toEqual(["b", "sensitive", "web_fetch"]);
    expect(await namesIn(callsOf({ byAgent: true }, tools))).toEqual(["b", "web_fetch"]);
    expect(await namesIn(callsOf({ callers: ["1", "2", "3", "4"] }, tools))).toEqual(["web_fetch"]);
  });

  test("leaves out what would make it too long", async () => {
    const huge = tool("huge", { description: "x".repeat(600_000) });
    expect(await namesIn(callsOf({}, [huge, tool("small")]))).toEqual(["small", "web_fetch"]);
  });
});
