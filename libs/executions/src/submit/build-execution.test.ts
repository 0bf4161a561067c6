import { NOTHING_KEPT, type InlineTool, type Retention, type TenantPrincipal } from "@bulkhead/core";
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

test("an execution tells what made it, and whose program and key", () => {
  const made = { ...WHO, requestedBy: "key_a" };
  expect(buildExecution(NOW, caller, CALL, TOOL, "may_run")).toMatchObject(made);
  expect(buildDryRun(NOW, caller, CALL, "a", {} as InlineTool)).toMatchObject(made);
});
