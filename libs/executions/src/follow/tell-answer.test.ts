import type { Execution, ExecutionEvent, TenantNews } from "@bulkhead/core";
import { expect, test } from "vitest";
import { tellBehindAsked, tellNotAllowed } from "./tell-answer.ts";

const DIGITS = "0".repeat(32);
const DENIED = {
  tenantId: "ten_1",
  executionId: `exe_${DIGITS}`,
  toolId: "tool_1",
  toolName: "shell",
  toolVersion: 3,
  context: { agentId: "a" },
  status: "denied",
  approval: {
    timeoutMs: 1,
    expiresAt: "",
    answer: { answer: "deny", by: "key_1", at: "", reason: "Use the copy." },
  },
} as unknown as Execution;

async function toldOf(ended: Execution): Promise<TenantNews[]> {
  const told: TenantNews[] = [];
  await tellNotAllowed({ tenantEvents: { publish: async (_, news) => void told.push(news) } }, ended);
  return told;
}

test("those who watch the tenant are told why a call was denied, and by whose key", async () => {
  expect(await toldOf(DENIED)).toMatchObject([
    {
      type: "approval.answered",
      data: { approvalId: `apr_${DIGITS}`, answer: "deny", by: "key_1", reason: "Use the copy." },
      agentId: "a",
    },
  ]);
});

test("a call that nobody answered, or that never waited, has no reason", async () => {
  const expired = { ...DENIED, approval: { timeoutMs: 1, expiresAt: "", answer: null } } as Execution;
  expect(await toldOf(expired)).toMatchObject([{ data: { by: "", reason: undefined } }]);
  expect(await toldOf({ ...DENIED, approval: null })).toEqual([]);
});

test("what came of a call is told behind the question where its tool's own code asked, and alone elsewhere", async () => {
  const told: string[][] = [];
  const stream = {
    append: async (_tenantId: string, events: ExecutionEvent[]) =>
      told.push(events.map(({ id, type }) => `${id} ${type}`)) > 0,
  };
  const { executionId } = DENIED;
  const queued = { type: "execution.queued", id: "3-1", executionId, attempt: 3, at: "" } as const;
  const asked = { askedEventId: "2-7", expiresAt: "" };
  await tellBehindAsked({ stream }, DENIED, asked, queued);
  // In one go, the stream would drop both where the first is there already.
  expect(told.splice(0)).toEqual([["2-7 execution.awaiting_approval"], ["3-1 execution.queued"]]);
  for (const approval of [null, { expiresAt: "" }])
    await tellBehindAsked({ stream }, DENIED, approval, queued);
  expect(told).toEqual([["3-1 execution.queued"], ["3-1 execution.queued"]]);
});
