import {
  APPROVAL_SETTINGS_DEFAULT,
  TENANT_LIMITS_DEFAULT,
  type MetaToolApproval,
  type TenantPrincipal,
} from "@bulkhead/core";
import { expect, test } from "vitest";
import { WAITING_CALL } from "../fixtures/waiting-call.ts";
import { allowCall, denyCall, type AnswerCallDeps } from "./answer-call.ts";

const ALLOWED = {
  ...WAITING_CALL,
  status: "allowed",
  answer: { answer: "allow_once", by: "key_owner", at: new Date(1).toISOString() },
} as const;

/** Of a tenant that blocks meta-tools by now. */
const OWNER: TenantPrincipal = {
  role: "owner",
  keyId: "key_owner",
  tenantId: "ten_1",
  agentId: null,
  limits: TENANT_LIMITS_DEFAULT,
  limitsAsOf: new Date(0),
  approval: { ...APPROVAL_SETTINGS_DEFAULT, metaTools: "blocked" },
};

/** What answers to this call led to. */
function bench(call: MetaToolApproval) {
  const led: string[] = [];
  const deps = {
    metaToolApprovals: {
      find: async () => call,
      answer: async (_key: unknown, { answer }: { answer: string }) => led.push(answer) > 0,
      claim: async () => (led.push("claim"), null),
    },
    tenantEvents: { publish: async () => undefined },
    audit: { record: async () => undefined },
    report: () => undefined,
  } as unknown as AnswerCallDeps;
  return { deps, led };
}

test("a meta-tool's call that is blocked meanwhile can't be allowed, only denied", async () => {
  const { deps, led } = bench(WAITING_CALL);
  await expect(allowCall(deps, OWNER, WAITING_CALL)).rejects.toMatchObject({
    code: "tool.blocked",
    detail: expect.stringContaining("create_tool"),
  });
  expect(led).toEqual([]);
  await denyCall(deps, OWNER, WAITING_CALL, "not now");
  expect(led).toEqual(["deny"]);
});

test("what was allowed before it was blocked stays allowed", async () => {
  const { deps, led } = bench(ALLOWED);
  await allowCall(deps, OWNER, ALLOWED);
  expect(led).toEqual(["claim"]);
});
