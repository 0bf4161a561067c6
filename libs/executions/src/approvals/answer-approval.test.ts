import {
  APPROVAL_SETTINGS_DEFAULT,
  TENANT_LIMITS_DEFAULT,
  type Admission,
  type Approval,
  type ApprovalSettings,
  type AuditDeed,
  type ExecutionEvent,
  type TenantNews,
  type TenantPrincipal,
  type Tool,
  Fault,
} from "@bulkhead/core";
import { expect, test } from "vitest";
import { allowApproval, denyApproval, type AnswerDeps } from "./answer-approval.ts";

const EXECUTION_ID = `exe_${"0".repeat(32)}`;
const APPROVAL_ID = `apr_${"0".repeat(32)}`;

const WAITING: Approval = {
  approvalId: APPROVAL_ID,
  tenantId: "ten_1",
  executionId: EXECUTION_ID,
  toolId: "tool_1",
  toolName: "shell",
  toolVersion: 1,
  arguments: { command: "git status" },
  context: {},
  callbackUrl: null,
  requestedBy: "key_agent",
  createdAt: new Date(0),
  expiresAt: new Date(120_000).toISOString(),
  status: "waiting",
  answer: null,
};
const ADMISSION: Admission = {
  tenantId: "ten_1",
  executionId: EXECUTION_ID,
  attempt: 1,
  current: null,
  priority: 4,
  delayMs: 0,
  tool: null,
};

const principal = (role: TenantPrincipal["role"], developersMayApprove = false): TenantPrincipal => ({
  role,
  keyId: `key_${role}`,
  tenantId: "ten_1",
  agentId: null,
  limits: TENANT_LIMITS_DEFAULT,
  limitsAsOf: new Date(0),
  approval: { ...APPROVAL_SETTINGS_DEFAULT, developersMayApprove },
});

/** The tool as it is when the answer comes. */
const TOOL = {
  id: "tool_1",
  name: "shell",
  approval: null,
  requiresApproval: false,
  createdBy: "user",
} as Tool;

interface Chances {
  found?: Approval | null;
  tool?: Tool | null;
  wins?: boolean;
  queueFails?: boolean;
  /** What the schema says of other arguments. */
  errors?: { path: string; message: string }[];
}

/** What answers do, and what they led to. */
function bench({ found = WAITING, tool = TOOL, wins = true, queueFails = false, errors = [] }: Chances = {}) {
  const said: (ExecutionEvent | TenantNews)[] = [];
  const admitted: Admission[] = [];
  const reports: string[] = [];
  const put: string[] = [];
  const deeds: AuditDeed[] = [];
  const endings: unknown[] = [];
  const allowances: unknown[] = [];
  const deps = {
    approvals: {
      find: async () => found,
      allow: async (_key: unknown, answer: unknown, standing: unknown) => {
        allowances.push({ answer, standing });
        return wins ? ADMISSION : null;
      },
    },
    tools: { find: async () => tool, findVersion: async () => ({ parameters: { ...tool?.parameters } }) },
    schemas: { checkArguments: async () => errors },
    executions: {
      endFromOutside: async (_key: unknown, ending: unknown) => {
        endings.push(ending);
        return null;
      },
    },
    stream: { append: async (_tenantId: string, events: ExecutionEvent[]) => (said.push(...events), true) },
    queue: {
      admit: async (admissions: Admission[]) => {
        if (queueFails) throw new Fault("service.unavailable");
        admitted.push(...admissions);
      },
    },
    audit: {
      record: async (_by: unknown, _tenantId: string, deed: AuditDeed) => {
        put.push(deed.action);
        deeds.push(deed);
      },
    },
    tenantEvents: { publish: async (_tenantId: string, news: TenantNews) => void said.push(news) },
    clock: () => new Date(0),
    report: (what: string) => void reports.push(what),
  } as unknown as AnswerDeps;
  return { deps, said, admitted, reports, allowances, put, deeds, endings };
}

test("what is allowed is announced, queued, and told, in this order", async () => {
  const { deps, said, admitted, put } = bench();
  await allowApproval(deps, principal("owner"), APPROVAL_ID, { once: null });
  expect(admitted).toEqual([ADMISSION]);
  expect(put).toEqual(["approval.allowed_once"]);
  expect(said).toMatchObject([
    { type: "execution.queued", id: "1-1" },
    { type: "approval.answered", data: { answer: "allow_once", by: "key_owner", approvalId: APPROVAL_ID } },
  ]);
});

test.each([
  ["the agent that it was made for", { agentId: "one" }, "one"],
  ["no agent", {}, null],
])("news of an answer carry %s", async (_whom, context, agentId) => {
  const { deps, said } = bench({ found: { ...WAITING, context } });
  await allowApproval(deps, principal("owner"), APPROVAL_ID, { once: null });
  expect(said.at(-1)).toMatchObject({ type: "approval.answered", agentId });
});

test("what the person wrote runs in place of what was asked for, and the audit log knows of it", async () => {
  const { deps, allowances, deeds } = bench();
  const changed = { command: "git status --short" };
  await allowApproval(deps, principal("owner"), APPROVAL_ID, { once: changed });
  const answer = { answer: "allow_once", by: "key_owner", arguments: changed };
  expect(allowances).toEqual([{ answer, standing: null }]);
  expect(deeds).toMatchObject([{ details: { argumentsChanged: true } }]);
  // What the arguments say is nobody's to read there.
  expect(JSON.stringify(deeds)).not.toContain("--short");
});

test("what the person left out gets the defaults that the call would have had", async () => {
  const parameters = { properties: { command: {}, shell: { default: "sh" } } };
  const { deps, allowances } = bench({ tool: { ...TOOL, applyDefaults: true, parameters } });
  await allowApproval(deps, principal("owner"), APPROVAL_ID, { once: { command: "ls" } });
  expect(allowances).toMatchObject([{ answer: { arguments: { command: "ls", shell: "sh" } } }]);
});

test("who repeats the call's own arguments has changed nothing", async () => {
  const { deps, allowances, deeds } = bench();
  await allowApproval(deps, principal("owner"), APPROVAL_ID, { once: { ...WAITING.arguments } });
  expect(allowances).toEqual([{ answer: { answer: "allow_once", by: "key_owner" }, standing: null }]);
  expect(JSON.stringify(deeds)).not.toContain("argumentsChanged");
});

test("other arguments that the version does not take are refused by name, and the call waits on", async () => {
  const errors = [{ path: "arguments.command", message: "must be text" }];
  const { deps, allowances, put } = bench({ errors });
  const answer = allowApproval(deps, principal("owner"), APPROVAL_ID, { once: { command: 1 } });
  await expect(answer).rejects.toMatchObject({ code: "tool.arguments_invalid", errors });
  expect([allowances, put]).toEqual([[], []]);
});

test("other arguments that the tenant blocks are refused, whatever was asked for", async () => {
  const owner = principal("owner");
  const rules = [{ ...rule, pattern: "rm *" }];
  const answerer = { ...owner, approval: { ...owner.approval, rules } };
  const { deps, allowances } = bench();
  const answer = allowApproval(deps, answerer, APPROVAL_ID, { once: { command: "rm -rf /" } });
  await expect(answer).rejects.toMatchObject({ code: "tool.blocked" });
  expect(allowances).toEqual([]);
});

test.each([
  [null, "A person denied the call."],
  ["use the staging copy", "A person denied the call: use the staging copy"],
])("a denial with the reason %j tells the agent so", async (reason, message) => {
  const { deps, endings } = bench();
  await expect(denyApproval(deps, principal("owner"), APPROVAL_ID, reason)).rejects.toMatchObject({
    code: "approval.already_answered",
  });
  expect(endings).toMatchObject([{ error: { code: "approval.denied", message } }]);
});

test("a queue that is away does not undo the answer", async () => {
  const { deps, reports } = bench({ queueFails: true });
  await expect(allowApproval(deps, principal("owner"), APPROVAL_ID, { once: null })).resolves.toBeDefined();
  expect(reports).toEqual([expect.stringContaining("a sweep will do it")]);
});

test("who is not the first to answer leads to nothing", async () => {
  const { deps, said, admitted, put } = bench({ wins: false });
  for (const answer of [
    allowApproval(deps, principal("owner"), APPROVAL_ID, { once: null }),
    denyApproval(deps, principal("owner"), APPROVAL_ID, null),
  ])
    await expect(answer).rejects.toMatchObject({ code: "approval.already_answered" });
  expect([said, admitted, put]).toEqual([[], [], []]);
});

test.each([
  ["allowed", { status: "allowed", answer: { answer: "allow_once", by: "key_2", at: "" } }],
  ["expired", { status: "expired" }],
  ["cancelled", { status: "cancelled" }],
] as const)("what was %s can't be answered, and that is said", async (status, fields) => {
  const { deps, allowances } = bench({ found: { ...WAITING, ...fields } });
  const answer = allowApproval(deps, principal("owner"), APPROVAL_ID, { once: null });
  await expect(answer).rejects.toMatchObject({
    code: "approval.already_answered",
    detail: expect.stringContaining(status),
  });
  expect(allowances).toEqual([]);
});

test.each([
  ["an owner", principal("owner"), true],
  ["a developer", principal("developer"), false],
  ["a developer whom the tenant lets", principal("developer", true), true],
  ["an agent", principal("agent", true), false],
  ["a viewer", principal("viewer", true), false],
])("%s answers: %j", async (_name, who, may) => {
  const { deps, allowances } = bench();
  const answer = allowApproval(deps, who, APPROVAL_ID, { once: null });
  if (may) await expect(answer).resolves.toBeDefined();
  else await expect(answer).rejects.toMatchObject({ code: "auth.forbidden" });
  expect(allowances).toHaveLength(may ? 1 : 0);
});

test("allowing always remembers the pattern, which the call itself must match", async () => {
  const { deps, allowances } = bench();
  const always = (pattern: string) =>
    allowApproval(deps, principal("owner"), APPROVAL_ID, { always: { argument: "/command", pattern } });
  await expect(always("rm *")).rejects.toMatchObject({
    code: "request.invalid",
    errors: [{ path: "pattern" }],
  });
  expect(allowances).toEqual([]);
  await always("git *");
  expect(allowances).toEqual([
    {
      answer: { answer: "allow_always", by: "key_owner" },
      standing: {
        standingId: expect.stringMatching(/^sta_[0-9a-f]{16}$/),
        pattern: { argument: "/command", pattern: "git *" },
      },
    },
  ]);
});

const rule = { tool: "shell", argument: "/command", pattern: "git *", decision: "blocked" } as const;

test.each<[string, Partial<ApprovalSettings>, Partial<Tool>]>([
  ["the setting for its name", { tools: { shell: "blocked" } }, {}],
  ["the setting for its id", { tools: { tool_1: "blocked" } }, {}],
  ["the default", { default: "blocked" }, {}],
  ["a rule that its arguments match", { rules: [rule] }, {}],
  ["the tool's own word", {}, { approval: "blocked" }],
  ["people's word on a model's tool", {}, { approval: "blocked", createdBy: "llm" }],
])("what is blocked meanwhile by %s can't be allowed, only denied", async (_name, settings, fields) => {
  const { deps, allowances, put, said } = bench({ tool: { ...TOOL, ...fields } });
  const owner = principal("owner");
  const answerer = { ...owner, approval: { ...owner.approval, ...settings } };
  for (const allowance of [{ once: null }, { once: WAITING.arguments }, { always: null }])
    await expect(allowApproval(deps, answerer, APPROVAL_ID, allowance)).rejects.toMatchObject({
      code: "tool.blocked",
      detail: expect.stringContaining("until it is denied or expires"),
    });
  expect([allowances, put, said]).toEqual([[], [], []]);
});

test("what blocks other calls, or a tool that is gone, keeps nobody from allowing this one", async () => {
  const owner = principal("owner");
  const rules = [{ ...rule, pattern: "rm *" }];
  const approval: ApprovalSettings = { ...owner.approval, tools: { other: "blocked" }, rules };
  const answerer = { ...owner, approval };
  await expect(allowApproval(bench().deps, answerer, APPROVAL_ID, { once: null })).resolves.toBeDefined();
  const gone = bench({ tool: null });
  await expect(allowApproval(gone.deps, answerer, APPROVAL_ID, { once: null })).resolves.toBeDefined();
});

test("a call of which nothing is known is answered as missing", async () => {
  const { deps } = bench({ found: null });
  await expect(denyApproval(deps, principal("owner"), EXECUTION_ID, null)).rejects.toMatchObject({
    code: "approval.not_found",
  });
});
