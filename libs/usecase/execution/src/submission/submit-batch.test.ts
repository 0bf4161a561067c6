import {
  RUN_LIMITS_DEFAULT,
  TENANT_LIMITS_DEFAULT,
  type Admission,
  type TenantPrincipal,
  type Tool,
} from "@bulkhead/domain";
import { NO_TRACING } from "@bulkhead/telemetry";
import { expect, test, vi } from "vitest";
import { nextExecutionId, PLAIN_CALL } from "./build-execution.ts";
import { submitBatch, type BatchCall, type BatchDeps } from "./submit-batch.ts";

const NOW = new Date("2026-01-01T00:00:00Z");
const PRINCIPAL = {
  role: "user",
  tenantId: "ten_a",
  keyId: "key_a",
  limits: TENANT_LIMITS_DEFAULT,
  limitsAsOf: NOW,
} as unknown as TenantPrincipal;
const TOOL = {
  id: "tool_a",
  name: "a",
  version: 1,
  status: "active",
  parameters: {},
  limits: RUN_LIMITS_DEFAULT,
} as unknown as Tool;

const call = (place: number): BatchCall =>
  ({
    ...PLAIN_CALL,
    tool: TOOL,
    arguments: {},
    context: {},
    traceId: "0".repeat(32),
    executionId: nextExecutionId(() => NOW),
    once: { key: `k#${place}`, bodyHash: "b" },
  }) as unknown as BatchCall;

/** What three calls are answered with whose insert has these outcomes, and which of them were handed over and given up. */
async function answered(outcomes: object[]) {
  const calls = [call(0), call(1), call(2)];
  const ids = calls.map(({ executionId }) => executionId);
  const admitted: string[] = [];
  const released: string[] = [];
  const deps = {
    tracing: NO_TRACING,
    clock: () => NOW,
    report: () => undefined,
    schemas: { checkArguments: vi.fn().mockResolvedValue([]) },
    executions: {
      findByKeys: vi.fn().mockResolvedValue(new Map()),
      insertOnce: vi.fn().mockResolvedValue(outcomes),
    },
    queue: {
      reserve: vi.fn().mockResolvedValue({ accepted: 3, refusedFor: null, waitMs: 0, waiting: 3 }),
      admit: async (admissions: Admission[]) =>
        void admitted.push(...admissions.map(({ executionId }) => executionId)),
      release: async ({ executionId }: { executionId: string }) => void released.push(executionId),
    },
  } as unknown as BatchDeps;
  const answers = await submitBatch(deps, PRINCIPAL, calls).catch((error: unknown) => error);
  return { ids, answers, admitted, released };
}

const INSERTED = { outcome: "inserted" };
const TAKEN = { outcome: "known", executionId: "exe_x", sameBody: false };

test("a key that another batch took meanwhile is a conflict of its call alone: the others are committed and handed over", async () => {
  const { ids, answers, admitted, released } = await answered([TAKEN, INSERTED, INSERTED]);
  expect(answers).toMatchObject([
    { code: "idempotency.conflict" },
    { executionId: ids[1], status: "queued" },
    { executionId: ids[2], status: "queued" },
  ]);
  expect(admitted).toEqual(ids.slice(1));
  expect(released).toEqual(ids.slice(0, 1));
});

test("a batch all of whose keys another one took is refused as a whole", async () => {
  const { ids, answers, admitted, released } = await answered([TAKEN, TAKEN, TAKEN]);
  expect(answers).toMatchObject({ code: "idempotency.conflict" });
  expect(admitted).toEqual([]);
  expect(released).toEqual(ids);
});
