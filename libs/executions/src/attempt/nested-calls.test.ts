import {
  APPROVAL_SETTINGS_DEFAULT,
  CALL_TREE_MAX,
  RUN_LIMITS_DEFAULT,
  type EgressSession,
  type Tool,
} from "@bulkhead/core";
import { describe, expect, test } from "vitest";
import { heldAttempt } from "../fixtures/held-attempt.ts";
import { sampleProvider } from "../fixtures/sample-provider.ts";
import { sampleCover } from "../fixtures/sample-cover.ts";
import { toListable, type ListSight } from "./list-callable.ts";
import { NO_USAGE } from "./judge.ts";
import { withCalls, type NestedCallDeps } from "./nested-calls.ts";
import type { HeldAttempt } from "./tool-calls.ts";

const CALLER = { ...heldAttempt(), deadlineAt: new Date(0) };
const tool = (name: string, fields: Partial<Tool> = {}): Tool =>
  ({
    id: `tool_${name}`,
    name,
    description: `is ${name}`,
    parameters: { type: "object" },
    status: "active",
    requiresApproval: false,
    approval: null,
    createdBy: "user",
    version: 1,
    ...fields,
  }) as Tool;
const listable = ({ approvalCode, ...one }: Tool) =>
  toListable({ ...one, ...(approvalCode && { approvalCode: true }) });
const EGRESS = {} as EgressSession;
const NEVER = new AbortController().signal;

/** The calls of `caller`, of a tenant with these tools; every run of a stored tool is refused as too late. */
function callsOf(
  caller: Partial<HeldAttempt> = {},
  tools: Tool[] = [],
  nestedCalls = 10,
  egress: EgressSession | null = EGRESS,
  more: object = {},
) {
  const deps = {
    findTool: (_: string, _scope: object, ref: string) =>
      Promise.resolve(tools.find(({ name }) => name === ref) ?? null),
    listActiveTools: async (_: string, _agentId: string | null, sight: ListSight) =>
      tools.filter((one) => sight?.sees(one) ?? true).map(listable),
    provider: sampleProvider("page"),
    schemas: { checkArguments: () => Promise.resolve([]) },
    executions: { beginNested: () => Promise.resolve("not_active") },
    clock: () => new Date(0),
    report: () => undefined,
    ...more,
  } as unknown as NestedCallDeps;
  const limits = { ...RUN_LIMITS_DEFAULT, nestedCalls };
  return withCalls(deps).openCalls({ ...CALLER, ...caller }, sampleCover(), limits, {
    permissions: egress ? ["network"] : [],
    nextBodyId: () => 1,
    egress,
    allowedHosts: null,
    ask: () => Promise.reject(new Error("nothing is asked here")),
  });
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

  test("of a tool whose own code decides is refused for an agent where that would ask a person", async () => {
    const pay = tool("pay", { approvalCode: "return args.usd > 1;" });
    const answer = (json: string, caller: Partial<HeldAttempt> = { byAgent: true }) => {
      const ran: string[] = [];
      const more = {
        findDefinition: async () => ({ approvalCode: "return args.usd > 1;" }),
        findCodeFault: () => null,
        sandbox: {
          run: async ({ argumentsJson, depth }: { argumentsJson: string; depth: number }) => {
            ran.push(`${depth} ${argumentsJson}`);
            return {
              outcome: "returned",
              json,
              usage: { ...NO_USAGE, cpuMs: 3, wallMs: 5, memoryPeakMib: 7 },
            };
          },
        },
      };
      const calls = callsOf(caller, [pay], 10, EGRESS, more);
      return calls.call("pay", '{"usd":2}', NEVER).then((said) => ({ said, ran, asked: calls.asked }));
    };
    const refused = await answer("true");
    expect(refused.said).toMatchObject({
      code: "tool_not_allowed",
      message: expect.stringContaining("own code"),
    });
    const asked = { ...NO_USAGE, cpuMs: 3, memoryPeakMib: 7 };
    expect(refused).toMatchObject({ ran: ['2 {"usd":2}'], asked });
    expect((await answer('"no"')).said).toMatchObject({ message: expect.stringContaining("gave no answer") });
    expect(await answer("false")).toMatchObject({ said: { code: "tool_not_found" }, asked });
    expect(await answer("true", { byAgent: false })).toMatchObject({ ran: [], asked: NO_USAGE });
  });

  test("with a number that would be rounded is refused with its place, whatever it calls", async () => {
    const json = '{"a":[{"id":2512292042121000001}],"text":"2512292042121000001"}';
    const refused = { code: "invalid_request", message: expect.stringContaining("a.0.id is a number") };
    expect(await callsOf({}, [tool("own")]).call("own", json, NEVER)).toMatchObject(refused);
    expect(await callsOf().call("web_fetch", json, NEVER)).toMatchObject(refused);
    expect(await callsOf().call("web_fetch", '{"a":9007199254740991}', NEVER)).toMatchObject({ ok: true });
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
    [
      "for a person to confirm by its own word, by an agent",
      { approval: "ask" },
      { byAgent: true },
      "tool_not_allowed",
    ],
    [
      "blocked by the tenant, by an agent",
      { approval: "preApproved" },
      { byAgent: true, approvals: { ...APPROVAL_SETTINGS_DEFAULT, tools: { b: "blocked" } } },
      "tool_not_allowed",
    ],
    ["nobody's to confirm, by an agent", {}, { byAgent: true }, "tool_not_found"],
    ["nobody's to confirm, by an agent's script", {}, { byAgent: true, toolId: null }, "tool_not_allowed"],
    ["deep below an agent's script", {}, { byAgent: true, callers: [null, "tool_z"] }, "tool_not_allowed"],
    [
      "approved in advance, by an agent's script",
      { approval: "preApproved" },
      { byAgent: true, toolId: null },
      "tool_not_found",
    ],
    ["that for a person, by a person", { requiresApproval: true }, {}, "tool_not_found"],
    ["disabled meanwhile", {}, {}, "tool_not_found"],
  ] as const)("of a tool that is %s is refused", async (_, fields, caller, code) => {
    const calls = callsOf(caller, [tool("b", fields)]);
    expect(await calls.call("b", "{}", NEVER)).toMatchObject({ ok: false, code });
  });
});

describe("an agent's call of a tool of the platform's", () => {
  const rule = { tool: "web_fetch", argument: "/url", pattern: "*//intern*", decision: "blocked" } as const;
  const blocked = { ...APPROVAL_SETTINGS_DEFAULT, tools: { web_fetch: "blocked" as const } };
  const ruled = { ...APPROVAL_SETTINGS_DEFAULT, rules: [rule] };
  const fetchIt = (approvals: HeldAttempt["approvals"], url: string, byAgent = true) =>
    callsOf({ byAgent, approvals }).call("web_fetch", JSON.stringify({ url }), NEVER);

  test("is refused where the tenant blocks the tool, or such arguments of it, and not to a person", async () => {
    expect(await fetchIt(blocked, "https://a.example")).toMatchObject({ code: "tool_not_allowed" });
    expect(await fetchIt(ruled, "https://intern.example")).toMatchObject({ code: "tool_not_allowed" });
    expect(await fetchIt(ruled, "https://a.example")).toMatchObject({ ok: true });
    expect(await fetchIt(blocked, "https://a.example", false)).toMatchObject({ ok: true });
  });

  test("is not offered where the tenant blocks the tool", async () => {
    expect(await namesIn(callsOf({ byAgent: true, approvals: blocked }))).toEqual([]);
    expect(await namesIn(callsOf({ byAgent: true, approvals: ruled }))).toEqual(["web_fetch"]);
    expect(await namesIn(callsOf({ approvals: blocked }))).toEqual(["web_fetch"]);
  });
});

test("a list shows the alias of a tool in the place of its name", async () => {
  const tools = [tool("get_issue", { alias: "getIssue" }), tool("plain")];
  expect(await namesIn(callsOf({}, tools))).toEqual(["getIssue", "plain", "web_fetch"]);
});

describe("a name", () => {
  /** Who was asked whose tools there are, in order. */
  const lookUps = async (caller: Partial<HeldAttempt>) => {
    const asked: unknown[] = [];
    const calls = callsOf(caller, [], 10, EGRESS, {
      findTool: async (...at: unknown[]) => (asked.push(at), null),
      listActiveTools: async (...at: unknown[]) => (asked.push(at), []),
    });
    await calls.call("x", "{}", NEVER);
    await calls.list();
    return asked;
  };

  test("is looked up among the tools of the agent whose code says it, and of no other", async () => {
    expect(await lookUps({ scopeAgentId: "one", context: { agentId: "two" } })).toEqual([
      ["ten_a", { agentId: "one", seesAll: false }, "x"],
      ["ten_a", "one", null],
    ]);
  });

  test("in a tool of the tenant's is the tenant's, whichever agent calls it", async () => {
    expect(await lookUps({ scopeAgentId: null, context: { agentId: "two" }, byAgent: true })).toEqual([
      ["ten_a", { agentId: null, seesAll: false }, "x"],
      ["ten_a", null, null],
    ]);
  });
});

describe("the list", () => {
  test("has what can be called from here, the tenant's before the built-in ones", async () => {
    const tools = [tool("b"), tool("self", { id: "tool_a" }), tool("sensitive", { requiresApproval: true })];
    expect(await namesIn(callsOf({}, tools))).toEqual(["b", "sensitive", "web_fetch"]);
    expect(await namesIn(callsOf({ byAgent: true }, tools))).toEqual(["b", "web_fetch"]);
    expect(await namesIn(callsOf({ callers: ["1", "2", "3", "4"] }, tools))).toEqual(["web_fetch"]);
  });

  test("shows an agent's script what runs unasked, or asks by its own code, and no other tool", async () => {
    const tools = [
      tool("plain"),
      tool("sure", { approval: "preApproved" }),
      tool("pay", { approvalCode: "return args.usd > 1;" }),
      tool("guarded", { approvalCode: "return false;", approval: "ask" }),
      tool("a_models", { createdBy: "llm" }),
    ];
    const script = { byAgent: true, toolId: null };
    expect(await namesIn(callsOf(script, tools))).toEqual(["sure", "pay"]);
    expect(await namesIn(callsOf({ byAgent: true }, tools))).toEqual(["plain", "sure", "pay", "web_fetch"]);
  });

  test("has nothing that needs the network, where its caller lacks the permission", async () => {
    expect(await namesIn(callsOf({}, [tool("b")], 10, null))).toEqual(["b"]);
  });

  test("leaves out what would make it too long", async () => {
    const huge = tool("huge", { description: "x".repeat(600_000) });
    expect(await namesIn(callsOf({}, [huge, tool("small")]))).toEqual(["small", "web_fetch"]);
  });
});

describe("by a tenant's policy", () => {
  const document = { forbid: ["hidden", "web_fetch"], agents: { one: { deny: ["ones_not"] } } };
  const policies = { of: () => Promise.resolve({ version: 3, document, mcpVersion: 0, mcp: {} }) };
  const tools = ["hidden", "ones_not", "open"].map((name) => tool(name));
  const callsFor = (caller: Partial<HeldAttempt>) =>
    callsOf(
      { policyVersion: 3, approvals: { ...APPROVAL_SETTINGS_DEFAULT, default: "preApproved" }, ...caller },
      tools,
      10,
      EGRESS,
      { policies },
    );

  test.each([
    ["an agent's call", { byAgent: true, context: { agentId: "two" } }, ["ones_not", "open"]],
    ["a call for an agent", { context: { agentId: "one" } }, ["open"]],
    ["a person's call", {}, ["hidden", "ones_not", "open", "web_fetch"]],
  ])("a tool that runs by %s lists what its asker sees", async (_who, caller, seen) => {
    expect(await namesIn(callsFor(caller))).toEqual(seen);
  });

  test("a tool that its asker does not see is answered as one that is not there", async () => {
    const calls = callsFor({ context: { agentId: "one" } });
    for (const name of ["hidden", "ones_not", "web_fetch", "nothing"])
      expect(await calls.call(name, "{}", NEVER)).toEqual({
        ok: false,
        code: "tool_not_found",
        message: `There is no tool "${name}".`,
      });
    expect(await calls.call("open", "{}", NEVER)).toMatchObject({
      message: expect.stringContaining("meanwhile"),
    });
  });

  test("nothing is asked where the tenant has no document", async () => {
    const asked = () => Promise.reject(new Error("nobody asked for it"));
    const calls = callsOf({ byAgent: true }, tools, 10, EGRESS, { policies: { of: asked } });
    expect(await calls.call("open", "{}", NEVER)).not.toMatchObject({ code: "failed" });
  });
});
