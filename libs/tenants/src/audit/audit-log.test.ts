import {
  TENANT_LIMITS_DEFAULT,
  TENANT_SETTINGS_DEFAULT,
  type NewAuditEntry,
  type Principal,
} from "@bulkhead/core";
import { expect, test } from "vitest";
import { auditLog } from "./audit-log.ts";

const AGENT: Principal = {
  role: "agent",
  keyId: "key_1",
  requestId: "req_1",
  tenantId: "ten_1",
  agentId: "helper",
  limits: TENANT_LIMITS_DEFAULT,
  limitsAsOf: new Date(0),
  approval: TENANT_SETTINGS_DEFAULT.approval,
};
const DEED = { action: "tool.created", id: "tool_1", name: "a" } as const;

function bench(fault?: Error) {
  const inserted: NewAuditEntry[][] = [];
  const reports: string[] = [];
  const log = auditLog({
    auditEntries: {
      insert: async (entries) => {
        if (fault) throw fault;
        inserted.push(entries);
      },
    },
    report: (what) => void reports.push(what),
  });
  return { log, inserted, reports };
}

test.each([
  ["a tenant's key", AGENT, { role: "agent", keyId: "key_1", agentId: "helper", requestId: "req_1" }],
  [
    "the administrator",
    { role: "admin", keyId: "admin", requestId: "req_2" } as const,
    { role: "admin", keyId: "admin", agentId: null, requestId: "req_2" },
  ],
  ["the platform itself", null, { role: "platform", keyId: null, agentId: null, requestId: null }],
])("an entry says that %s did it, and in which request", async (_name, by, actor) => {
  const { log, inserted } = bench();
  await log.record(by, "ten_1", DEED);
  expect(inserted).toEqual([
    [
      {
        ...DEED,
        ...actor,
        tenantId: "ten_1",
        entryId: expect.stringMatching(/^aud_[0-9a-f]{16}$/),
        beforeHash: null,
        afterHash: null,
        details: {},
      },
    ],
  ]);
});

test("many deeds are one insert, and none is no insert", async () => {
  const { log, inserted } = bench();
  await log.record(null, "ten_1");
  await log.record(null, "ten_1", DEED, DEED);
  expect(inserted.map((entries) => entries.length)).toEqual([2]);
});

test("what can't be put down is reported with what it says, and the caller goes on", async () => {
  const { log, reports } = bench(new Error("away"));
  await log.record(AGENT, "ten_1", DEED);
  expect(reports).toEqual([expect.stringMatching(/tool\.created.*req_1/)]);
});
