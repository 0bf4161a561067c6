import {
  APPROVAL_SETTINGS_DEFAULT,
  COMMAND_RULES_MAX,
  RUN_LIMITS_DEFAULT,
  type NewExecution,
  type NewRule,
} from "@bulkhead/core";
import { queryRows } from "@bulkhead/testing";
import { expect, test } from "vitest";
import { attemptOf, LEASE_MS, sampleExecution, sampleTenant } from "../fixtures/samples.ts";
import { database, testDatabase, useStores } from "../fixtures/stores.ts";

useStores();

const ALWAYS = { answer: "allow_always", by: "key_1" } as const;
/** What runs for a call of a tool that comes with the platform. */
const SCRIPT = {
  code: "return 1;",
  permissions: [],
  outputSchema: null,
  limits: RUN_LIMITS_DEFAULT,
  allowedHosts: null,
  services: [],
};

test("allow always of a built-in tool's call adds its rule once, before the others, or nothing at all", async () => {
  const tenant = sampleTenant();
  await database.tenants.create(tenant);
  const ask = async (): Promise<NewExecution> => {
    const deadlineAt = new Date(Date.now() + 120_000);
    const execution = sampleExecution(tenant.id, {
      toolId: null,
      toolName: "exec",
      toolVersion: 0,
      inlineTool: SCRIPT,
      deadlineAt,
      approval: { timeoutMs: 60_000, expiresAt: deadlineAt.toISOString() },
    });
    await database.executions.insert(execution);
    return execution;
  };
  const remember = async (rule: NewRule) => database.approvals.allow(await ask(), ALWAYS, rule, 10);
  const settings = async () => (await database.tenants.find(tenant.id))?.settings.approval;
  const command = (pattern: string) =>
    ({ command: { pattern, approval: "preApproved", exact: true } }) as const;
  const rule = { tool: "web_fetch", argument: null, pattern: "*", decision: "preApproved" } as const;

  const first = await ask();
  expect(await database.approvals.find(first)).toMatchObject({
    toolId: null,
    toolName: "exec",
    status: "waiting",
  });
  await Promise.all([
    remember(command("a")),
    remember(command("b")),
    remember(command("a")),
    remember({ rule }),
  ]);
  const { commands = [], rules, timeoutMs } = (await settings()) ?? {};
  expect(commands.map(({ pattern }) => pattern).toSorted()).toEqual(["a", "b"]);
  expect([rules, timeoutMs]).toEqual([[rule], tenant.settings.approval.timeoutMs]);

  const full = Array.from({ length: COMMAND_RULES_MAX }, (_, n) => command(`x${n}`).command);
  await database.tenants.update(tenant.id, { settings: { approval: { commands: full } } });
  const allowed = database.approvals.allow(first, ALWAYS, command("c"), 10);
  await expect(allowed).rejects.toMatchObject({ code: "approval.too_many_rules" });
  expect((await settings())?.commands).toHaveLength(COMMAND_RULES_MAX);
  expect((await database.approvals.find(first))?.status).toBe("waiting");
});

test("of two changes of settings at once neither is lost, and a claim brings them along", async () => {
  const tenant = await database.tenants.create(sampleTenant());
  const change = (approval: object) => database.tenants.update(tenant.id, { settings: { approval } });
  await Promise.all([change({ tools: { a: "blocked" } }), change({ default: "preApproved" }), change({})]);
  const settings = { ...APPROVAL_SETTINGS_DEFAULT, tools: { a: "blocked" }, default: "preApproved" };
  expect((await database.tenants.find(tenant.id))?.settings.approval).toEqual(settings);
  const execution = sampleExecution(tenant.id);
  await database.executions.insert(execution);
  const claimed = await database.executions.claim(attemptOf(execution), "worker", LEASE_MS);
  expect(claimed?.approvals).toEqual(settings);
});

test("settings of another build are read as the strictest", async () => {
  const tenant = await database.tenants.create(sampleTenant());
  const stranger = {
    default: "sometimes",
    tools: { a: 1 },
    rules: [{ tool: "a", decision: "later" }],
    timeoutMs: "1",
  };
  await queryRows(
    testDatabase.url,
    `UPDATE tenants SET settings = '${JSON.stringify({ approval: stranger })}' WHERE id = '${tenant.id}' RETURNING id`,
  );
  expect((await database.tenants.find(tenant.id))?.settings.approval).toEqual({
    ...APPROVAL_SETTINGS_DEFAULT,
    default: "blocked",
    tools: { a: "blocked" },
    rules: [{ tool: "a", argument: null, pattern: "*", decision: "blocked" }],
  });
});
