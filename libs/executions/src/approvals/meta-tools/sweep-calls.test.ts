import {
  type MetaToolApproval,
  type MetaToolOutcome,
  type TenantNews,
  type TenantPrincipal,
  Fault,
} from "@bulkhead/core";
import { expect, test } from "vitest";
import { WAITING_CALL } from "../fixtures/waiting-call.ts";
import { sweepCalls, type SweepCallsDeps } from "./sweep-calls.ts";

const CALL: MetaToolApproval = {
  ...WAITING_CALL,
  agentId: "agent-1",
  status: "allowed",
  answer: { answer: "allow_once", by: "key_owner", at: new Date(1).toISOString() },
};

interface Scene {
  overdue?: MetaToolApproval[];
  /** The number of the run that a claim gets; null: another process is at it. */
  run?: number | null;
  does?: () => Promise<{ name: string }>;
  /** Since when the tenant is being deleted. */
  deletingAt?: Date;
}

/** A sweep over one call that was left undone, and what it led to. */
async function swept({
  overdue = [],
  run = 1,
  does = async () => ({ name: "made" }),
  deletingAt,
}: Scene = {}) {
  const outcomes: MetaToolOutcome[] = [];
  const news: TenantNews[] = [];
  const done: { by: TenantPrincipal; repeated: boolean }[] = [];
  const reports: string[] = [];
  const deps = {
    metaToolApprovals: {
      expireOverdue: async () => overdue,
      listUndone: async () => [CALL],
      claim: async () => (run === null ? null : { approval: CALL, run }),
      finish: async (_key: unknown, _run: number, outcome: MetaToolOutcome) => outcomes.push(outcome) > 0,
      dropOld: async () => 0,
    },
    tenants: {
      find: async () => ({ limits: {}, updatedAt: new Date(0), settings: { approval: {} }, deletingAt }),
    },
    tenantEvents: { publish: async (_tenantId: string, one: TenantNews) => void news.push(one) },
    doMetaTool: async (by: TenantPrincipal, _call: unknown, repeated: boolean) => {
      done.push({ by, repeated });
      return does();
    },
    report: (what: string) => void reports.push(what),
  } as unknown as SweepCallsDeps;
  await sweepCalls(deps);
  return { outcomes, news, done, reports };
}

test("what was allowed and left undone is done as the agent that asked", async () => {
  const { outcomes, done } = await swept();
  expect(outcomes).toEqual([{ result: { name: "made" } }]);
  expect(done).toMatchObject([
    { by: { role: "agent", keyId: "key_agent", agentId: "agent-1" }, repeated: false },
  ]);
});

test("a run after one that was cut off knows that the call may have been done", async () => {
  expect((await swept({ run: 2 })).done).toMatchObject([{ repeated: true }]);
});

test("nothing is done any more for a tenant that is being deleted", async () => {
  const { done, outcomes } = await swept({ deletingAt: new Date(1) });
  expect([done, outcomes]).toMatchObject([[], [{ problem: { code: "tenant.not_found" } }]]);
});

test("what another process is at is left to it", async () => {
  const { done, outcomes } = await swept({ run: null });
  expect([done, outcomes]).toEqual([[], []]);
});

test("a fault of the call is what came of it", async () => {
  const { outcomes, reports } = await swept({
    does: () =>
      Promise.reject(new Fault("tool.name_taken", { errors: [{ path: "name", message: "is taken" }] })),
  });
  expect(outcomes).toMatchObject([
    { problem: { code: "tool.name_taken", status: 409, errors: [{ path: "name", message: "is taken" }] } },
  ]);
  expect(reports).toEqual([]);
});

test("a failure of ours is reported and left for another run, but not for ever", async () => {
  const does = () => Promise.reject(new Fault("service.unavailable"));
  const first = await swept({ does });
  expect([first.outcomes, first.reports.length]).toEqual([[], 1]);
  const last = await swept({ does, run: 10 });
  expect(last.outcomes).toMatchObject([{ problem: { code: "service.unavailable", retryable: true } }]);
});

test("what nobody answered in time is told to those who watch the tenant", async () => {
  const { news } = await swept({ overdue: [{ ...CALL, status: "expired" }] });
  expect(news).toMatchObject([
    {
      type: "approval.answered",
      data: { approvalId: CALL.approvalId, executionId: "", answer: "expire", by: "" },
      agentId: CALL.agentId,
    },
  ]);
});
