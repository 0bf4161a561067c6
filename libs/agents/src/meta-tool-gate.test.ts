import {
  APPROVAL_SETTINGS_DEFAULT,
  TENANT_LIMITS_DEFAULT,
  type ApprovalSettings,
  type ConfirmedCall,
  type TenantPrincipal,
} from "@bulkhead/core";
import { expect, test } from "vitest";
import { settingsGate } from "./meta-tool-gate.ts";

const principal = (
  role: TenantPrincipal["role"],
  metaTools: "preApproved" | "ask" | "blocked",
  tools: ApprovalSettings["tools"] = {},
): TenantPrincipal => ({
  role,
  keyId: "key_0123456789abcdef",
  tenantId: "ten_0123456789abcdef",
  agentId: null,
  limits: TENANT_LIMITS_DEFAULT,
  limitsAsOf: new Date(),
  approval: { ...APPROVAL_SETTINGS_DEFAULT, metaTools, tools },
});
const CALL: ConfirmedCall = { name: "create_tool", toolId: "tool_1", arguments: {}, context: {} };

/** A gate with the calls of which a person was asked. */
function bench() {
  const asked: ConfirmedCall[] = [];
  const gate = settingsGate({ askPerson: async (_principal, call) => `apr_${asked.push(call)}` });
  return { asked, gate };
}

test.each(["owner", "developer"] as const)(
  "a key of the role %s has decided, whatever the settings",
  async (role) => {
    const { gate, asked } = bench();
    for (const setting of ["preApproved", "ask", "blocked"] as const)
      expect(await gate.confirm(principal(role, setting), CALL)).toBeNull();
    expect(asked).toEqual([]);
  },
);

test("an agent goes on where its tenant approves beforehand, waits where a person is asked, and else is blocked", async () => {
  const { gate, asked } = bench();
  expect(await gate.confirm(principal("agent", "preApproved"), CALL)).toBeNull();
  await expect(gate.confirm(principal("agent", "blocked"), CALL)).rejects.toMatchObject({
    code: "tool.blocked",
  });
  expect(asked).toEqual([]);
  expect(await gate.confirm(principal("agent", "ask"), CALL)).toBe("apr_1");
  expect(asked).toEqual([CALL]);
});

test("nobody is asked about a call that can't be done anyway", async () => {
  const { gate, asked } = bench();
  const check = () => Promise.reject(new Error("no such thing"));
  await expect(gate.confirm(principal("agent", "ask"), CALL, check)).rejects.toThrow("no such thing");
  expect(asked).toEqual([]);
});

test("what its tenant says of the meta-tool by name comes first, for an agent alone", async () => {
  const { gate, asked } = bench();
  const blocking = { create_tool: "blocked" } as const;
  await expect(gate.confirm(principal("agent", "preApproved", blocking), CALL)).rejects.toMatchObject({
    code: "tool.blocked",
  });
  expect(await gate.confirm(principal("owner", "preApproved", blocking), CALL)).toBeNull();
  expect(await gate.confirm(principal("agent", "blocked", { create_tool: "preApproved" }), CALL)).toBeNull();
  expect(asked).toEqual([]);
  expect(await gate.confirm(principal("agent", "preApproved", { create_tool: "ask" }), CALL)).toBe("apr_1");
});

test("one that nobody is asked about goes on or is blocked", () => {
  const { gate } = bench();
  const call = { name: "update_tool", arguments: { name: "x" } } as const;
  for (const setting of ["preApproved", "ask"] as const)
    gate.refuseBlocked(principal("agent", setting), call);
  gate.refuseBlocked(principal("developer", "blocked"), call);
  expect(() => gate.refuseBlocked(principal("agent", "blocked"), call)).toThrow(
    expect.objectContaining({ code: "tool.blocked", detail: expect.stringContaining("update_tool") }),
  );
});
