import {
  APPROVAL_SETTINGS_DEFAULT,
  TENANT_LIMITS_DEFAULT,
  type ConfirmedCall,
  type TenantPrincipal,
} from "@bulkhead/domain";
import { expect, test } from "vitest";
import { settingsGate } from "./meta-tool-gate.ts";

const principal = (
  role: TenantPrincipal["role"],
  metaTools: "preApproved" | "ask" | "blocked",
): TenantPrincipal => ({
  role,
  keyId: "key_0123456789abcdef",
  tenantId: "ten_0123456789abcdef",
  agentId: null,
  limits: TENANT_LIMITS_DEFAULT,
  limitsAsOf: new Date(),
  approval: { ...APPROVAL_SETTINGS_DEFAULT, metaTools },
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
