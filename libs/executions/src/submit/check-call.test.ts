import { APPROVAL_SETTINGS_DEFAULT, type JsonObject, type TenantPrincipal, type Tool } from "@bulkhead/core";
import { expect, test } from "vitest";
import { PRINCIPAL, TOOL } from "../fixtures/sample-caller.ts";
import { checkCall, type CheckDeps } from "./check-call.ts";

const parameters = {
  type: "object",
  properties: { command: { type: "string", default: "rm" }, note: { type: "string" } },
};
const AGENT = { ...PRINCIPAL, role: "agent", approval: APPROVAL_SETTINGS_DEFAULT } as TenantPrincipal;

/** A call by `principal`, with what was held against the schema. */
async function checked(principal: TenantPrincipal, applyDefaults: boolean | null, args: JsonObject) {
  const held: JsonObject[] = [];
  const deps = {
    schemas: {
      checkArguments: async (_tenantId: string, _key: string, _schema: JsonObject, value: JsonObject) => {
        held.push(value);
        return [];
      },
    },
    approvals: { standingOf: async () => [] },
  } as unknown as CheckDeps;
  const tool = { ...TOOL, parameters, applyDefaults, approval: "preApproved" } as Tool;
  const call = { arguments: args, context: {} };
  return { ...(await checkCall(deps, principal, tool, call)), held };
}

test("arguments are completed before they are checked, and run as they were checked", async () => {
  const { may, arguments: run, held } = await checked(PRINCIPAL, true, { note: "x" });
  expect([may, run, held]).toEqual(["may_run", { command: "rm", note: "x" }, [run]]);
});

test("the tool's word stands above the tenant's, and neither is no", async () => {
  const filled = { ...PRINCIPAL, applyDefaults: true };
  const commandBy = async (...[who, says]: [TenantPrincipal, boolean | null]) =>
    (await checked(who, says, {})).arguments["command"];
  expect(await commandBy(filled, null)).toBe("rm");
  expect(await commandBy(filled, false)).toBeUndefined();
  expect(await commandBy(PRINCIPAL, null)).toBeUndefined();
});

test("an agent's null for what takes none is left out, a person's is checked", async () => {
  expect((await checked(AGENT, false, { note: null })).arguments).toEqual({});
  expect((await checked(PRINCIPAL, false, { note: null })).arguments).toEqual({ note: null });
});

test("a rule of the tenant's looks at what would run", async () => {
  const rule = { tool: TOOL.name, argument: "/command", pattern: "rm*", decision: "blocked" } as const;
  const ruled = { ...AGENT, approval: { ...APPROVAL_SETTINGS_DEFAULT, rules: [rule] } };
  await expect(checked(ruled, true, {})).rejects.toMatchObject({ code: "tool.blocked" });
  await expect(checked(ruled, true, { command: null })).rejects.toMatchObject({ code: "tool.blocked" });
  expect((await checked(ruled, true, { command: "ls" })).may).toBe("may_run");
});

test("what can't be completed within bounds is a fault of the arguments", async () => {
  const text = { type: "array", items: { properties: { text: { default: "x".repeat(300_000) } } } };
  const tool = {
    ...TOOL,
    applyDefaults: true,
    parameters: { properties: { list: text } },
  } as unknown as Tool;
  const call = checkCall({} as CheckDeps, PRINCIPAL, tool, { arguments: { list: [{}] }, context: {} });
  await expect(call).rejects.toMatchObject({
    code: "tool.arguments_invalid",
    errors: [{ path: "arguments" }],
  });
});

test("a tool with approvalCode runs unless the code says otherwise, and without it where a person has said so for good", async () => {
  const used: string[] = [];
  const may = async (standing: { standingId: string; pattern: null }[]) => {
    const deps = {
      standingUses: { saw: (id: string) => used.push(id) },
      schemas: { checkArguments: async () => [] },
      approvals: { standingOf: async () => standing },
    } as unknown as CheckDeps;
    const tool = {
      ...TOOL,
      approval: null,
      requiresApproval: false,
      createdBy: "user",
      approvalCode: "return true;",
    };
    return (await checkCall(deps, AGENT, tool as Tool, { arguments: {}, context: {} })).may;
  };
  expect([await may([]), await may([{ standingId: "sta_1", pattern: null }])]).toEqual([
    "tool_decides",
    "may_run",
  ]);
  expect(used).toEqual(["sta_1"]);
});
