import { RUN_LIMITS_DEFAULT, RUN_LIMITS_MAX, type ClaimedExecution, type RunnableTool } from "@bulkhead/core";
import { checkCode } from "@bulkhead/tools/code";
import { expect, test } from "vitest";
import { findRunnable, type RunnableDeps } from "./find-runnable.ts";

const tool = (code: string): RunnableTool => ({
  code,
  outputSchema: null,
  permissions: [],
  limits: RUN_LIMITS_DEFAULT,
  allowedHosts: null,
  services: [],
});
const GOOD = tool("return 1;");
const BAD = tool("return 1 +\n  eval('1');");

const stored = (definition: RunnableTool | null): RunnableDeps => ({
  findDefinition: () => Promise.resolve(definition),
  findCodeFault: ({ code }) => checkCode(code)[0] ?? null,
});
const claimed = (more: Partial<ClaimedExecution>) =>
  ({
    tenantId: "ten_a",
    toolId: "tool_a",
    toolVersion: 1,
    toolStatus: "active",
    inlineTool: null,
    ceilings: RUN_LIMITS_MAX,
    ...more,
  }) as ClaimedExecution;
const dryRun = (inlineTool: RunnableTool) => claimed({ toolId: null, inlineTool });

test("a version and a dry run whose code is within the rules are run", async () => {
  expect(await findRunnable(stored(GOOD), claimed({}))).toEqual({ tool: GOOD });
  expect(await findRunnable(stored(null), dryRun(GOOD))).toEqual({ tool: GOOD });
});

test("nothing runs with more than its tenant's ceilings", async () => {
  const ceilings = { ...RUN_LIMITS_MAX, cpuMs: 20 };
  const found = await findRunnable(stored(GOOD), claimed({ ceilings }));
  expect(found.tool?.limits).toEqual({ ...GOOD.limits, cpuMs: 20 });
});

test.each([
  ["a version", claimed({})],
  ["a dry run", dryRun(BAD)],
])("%s whose code breaks a rule is not run, and line, column and rule are told", async (_, execution) => {
  const { refusal } = await findRunnable(stored(BAD), execution);
  expect(refusal).toMatchObject({ status: "failed", error: { code: "tool.code_invalid" } });
  expect(refusal?.error?.message).toMatch(/eval is not .* \[rule: eval\] \(tool\.js:2:3\)$/);
});

test.each([
  ["is gone", null, claimed({})],
  ["was deleted", GOOD, claimed({ toolId: null })],
  ["came with its call and goes with its tenant", null, { ...dryRun(GOOD), toolStatus: null }],
  ["was disabled", GOOD, claimed({ toolStatus: "disabled" })],
])("a tool that %s is not run", async (_, definition, execution) => {
  const { refusal } = await findRunnable(stored(definition), execution);
  expect(refusal).toMatchObject({ status: "failed", error: { code: "tool.not_active" } });
});
