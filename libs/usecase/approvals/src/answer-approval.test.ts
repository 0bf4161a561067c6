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
} from "@bulkhead/domain";
import { Fault } from "@bulkhead/faults";
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
}

/** What answers do, and what they led to. */
function bench({ found = WAITING, tool = TOOL, wins = true, queueFails = false }: Chances = {}) {
  const said: (ExecutionEvent | TenantNews)[] = [];
  const admitted: Admission[] = [];
  const reports: string[] = [];
  const put: string[] = [];
  const allowances: unknown[] = [];
  const deps = {
    approvals: {
      find: async () => found,
      allow: async (_key: unknown, answer: unknown, standing: unknown) => {
        allowances.push({ answer, standing });
        return wins ? ADMISSION : null;
      },
    },
    tools: { find: async () => tool },
    executions: { endFromOutside: async () => null },
    stream: { append: async (_tenantId: string, events: ExecutionEvent[]) => (said.push(...events), true) },
    queue: {
      admit: async (admissions: Admission[]) => {
        if (queueFails) throw new Fault("service.unavailable");
        admitted.push(...admissions);
      },
    },
    audit: { record: async (_by: unknown, _tenantId: string, deed: AuditDeed) => void put.push(deed.action) },
    tenantEvents: { publish: async (_tenantId: string, news: TenantNews) => void said.push(news) },
    clock: () => new Date(0),
    report: (what: string) => void reports.push(what),
  } as unknown as AnswerDeps;
  return { deps, said, admitted, reports, allowances, put };
}

test("what is allowed is announced, queued, and told, in this order", async () => {
  const { deps, said, admitted, put } = bench();
  await allowApproval(deps, principal("owner"), APPROVAL_ID, "once");
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
  await allowApproval(deps, principal("owner"), APPROVAL_ID, "once");
  expect(said.at(-1)).toMatchObject({ type: "approval.answered", agentId });
});

test("a queue that is away does not undo the answer", async () => {
  const { deps, reports } = bench({ queueFails: true });
  await expect(allowApproval(deps, principal("owner"), APPROVAL_ID, "once")).resolves.toBeDefined();
  expect(reports).toEqual([expect.stringContaining("a sweep will do it")]);
});

test("who is not the first to answer leads to nothing", async () => {
  const { deps, said, admitted, put } = bench({ wins: false });
  for (const answer of [
    allowApproval(deps, principal("owner"), APPROVAL_ID, "once"),
    denyApproval(deps, principal("owner"), APPROVAL_ID),
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
  const answer = allowApproval(deps, principal("owner"), APPROVAL_ID, "once");
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
  const answer = allowApproval(deps, who, APPROVAL_ID, "once");
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
  for (const allowance of ["once", { always: null }] as const)
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
  await expect(allowApproval(bench().deps, answerer, APPROVAL_ID, "once")).resolves.toBeDefined();
  const gone = bench({ tool: null });
  await expect(allowApproval(gone.deps, answerer, APPROVAL_ID, "once")).resolves.toBeDefined();
});

test("a call of which nothing is known is answered as missing", async () => {
  const { deps } = bench({ found: null });
  await expect(denyApproval(deps, principal("owner"), EXECUTION_ID)).rejects.toMatchObject({
    code: "approval.not_found",
  });
});
