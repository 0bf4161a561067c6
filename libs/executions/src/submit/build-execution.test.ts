import {
  APPROVAL_SETTINGS_DEFAULT,
  NOTHING_KEPT,
  RUN_LIMITS_DEFAULT,
  type InlineTool,
  type Retention,
  type TenantPrincipal,
} from "@bulkhead/core";
import { expect, test } from "vitest";
import { NOW, PRINCIPAL, TOOL } from "../fixtures/sample-caller.ts";
import { buildDryRun, buildExecution, PLAIN_CALL, type NewCall } from "./build-execution.ts";

const WHO = { source: "batch", client: "curl/8.5.0" } as const;
const CALL = {
  ...PLAIN_CALL,
  ...WHO,
  executionId: "exe_a",
  arguments: {},
  context: {},
  timeoutMs: 1,
} as NewCall;
const TENANT: Retention = { arguments: 5, events: "none" };
const caller = { ...PRINCIPAL, retention: TENANT };

const retentionOf = (store: boolean, tool: Retention | null, principal: TenantPrincipal = caller) =>
  buildExecution(NOW, principal, { ...CALL, store }, { ...TOOL, retention: tool }, "may_run").retention;

test("the tool's word stands above its tenant's, and the call's above both", () => {
  expect(retentionOf(true, null)).toEqual(TENANT);
  expect(retentionOf(true, { events: 9 })).toEqual({ arguments: 5, events: 9 });
  expect(retentionOf(false, { events: 9 })).toEqual(NOTHING_KEPT);
});

test("where nobody says anything the row says nothing", () => {
  expect(retentionOf(true, null, { ...PRINCIPAL, retention: null })).toBeNull();
});

test("a dry run has its tenant's word, and what shows a version to those who decide stays", () => {
  const ofDryRun = (tool: Partial<InlineTool>, store = true) =>
    buildDryRun(NOW, caller, { ...CALL, store }, "a", tool as InlineTool).retention;
  expect(ofDryRun({})).toEqual(TENANT);
  expect(ofDryRun({}, false)).toEqual(NOTHING_KEPT);
  expect(ofDryRun({ rehearsal: { services: [] } })).toEqual({ events: "none" });
  const recorded = { fetch: [], calls: [], commands: [] };
  expect(ofDryRun({ rehearsal: { services: [], recorded } }, false)).toEqual(NOTHING_KEPT);
});

test.each([
  ["its tool's", { wallMs: 120_000 }, {}, 120_000],
  ["no less than others have", { wallMs: 10 }, {}, 60_000],
  ["no more than its tenant lets it run", { wallMs: 300_000 }, { wallMs: 90_000 }, 90_000],
  ["60 s where its tenant lets it run less", { wallMs: 300_000 }, { wallMs: 1_000 }, 60_000],
] as const)("a call that says no time has %s", (_, ofTool, ofTenant, expected) => {
  const approval = { ...APPROVAL_SETTINGS_DEFAULT, timeoutMs: 7_000 };
  const principal = { ...caller, approval, limits: { ...caller.limits, ...ofTenant } };
  const call = { ...CALL, timeoutMs: null, delayMs: 500 };
  const limits = { ...RUN_LIMITS_DEFAULT, ...ofTool };
  const tool = { ...TOOL, limits };
  const timeOf = ({ deadlineAt }: { deadlineAt: Date }) => deadlineAt.getTime() - NOW.getTime() - 500;
  expect(timeOf(buildExecution(NOW, principal, call, tool, "may_run"))).toBe(expected);
  expect(timeOf(buildDryRun(NOW, principal, call, "a", { limits } as InlineTool))).toBe(expected);
  const waiting = buildExecution(NOW, principal, call, tool, "must_wait");
  expect(waiting).toMatchObject({
    approval: { timeoutMs: expected },
    deadlineAt: new Date(NOW.getTime() + 7_000),
  });
  expect(timeOf(buildExecution(NOW, principal, { ...call, timeoutMs: 5 }, tool, "may_run"))).toBe(5);
});

test("an execution tells what made it, and whose program and key", () => {
  const made = { ...WHO, requestedBy: "key_a" };
  expect(buildExecution(NOW, caller, CALL, TOOL, "may_run")).toMatchObject(made);
  expect(buildDryRun(NOW, caller, CALL, "a", {} as InlineTool)).toMatchObject(made);
});
