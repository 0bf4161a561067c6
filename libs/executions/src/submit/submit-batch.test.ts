import type { Admission } from "@bulkhead/core";
import { NO_TRACING } from "@bulkhead/process/telemetry";
import { expect, test, vi } from "vitest";
import { NOW, PRINCIPAL, TOOL } from "../fixtures/sample-caller.ts";
import { nextExecutionId, PLAIN_CALL } from "./build-execution.ts";
import { BatchYield } from "./batch-yield.ts";
import { submitBatch, type BatchCall, type BatchDeps } from "./submit-batch.ts";

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

interface World {
  /** How many of the three get a slot. */
  accepted?: number;
  /** What the keys stand for when they are looked up, one look after the other. */
  looks?: (Map<string, { executionId: string; sameBody: boolean }> | Error)[];
}

/** What three calls are answered with whose insert has these outcomes, and which of them were handed over and given up. */
async function answered(outcomes: object[], { accepted = 3, looks = [] }: World = {}) {
  const looked = looks.values();
  const calls = [call(0), call(1), call(2)];
  const ids = calls.map(({ executionId }) => executionId);
  const admitted: string[] = [];
  const released: string[] = [];
  const deps = {
    tracing: NO_TRACING,
    batchYield: new BatchYield(),
    clock: () => NOW,
    report: () => undefined,
    schemas: { checkArguments: vi.fn().mockResolvedValue([]) },
    executions: {
      findByKeys: async () => {
        const look = looked.next().value ?? new Map();
        if (look instanceof Error) throw look;
        return look;
      },
      find: async () => ({ status: "running" }),
      insertOnce: vi.fn().mockResolvedValue(outcomes),
    },
    queue: {
      reserve: vi.fn().mockResolvedValue({ accepted, refusedFor: "backlog", waitMs: 0, waiting: 3 }),
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

test("a call that met a limit, and whose key stands for a call by now, gets that one's answer", async () => {
  const looks = [new Map(), new Map([["k#2", { executionId: "exe_first", sameBody: true }]])];
  const { ids, answers } = await answered([INSERTED], { accepted: 1, looks });
  expect(answers).toMatchObject([
    { executionId: ids[0], status: "queued", repeated: false },
    { code: "tenant.backlog_full" },
    { executionId: "exe_first", status: "running", repeated: true },
  ]);
});

test("where that can't be looked up any more, what was committed is answered all the same", async () => {
  const looks = [new Map(), new Error("the database is away")];
  const { ids, answers } = await answered([INSERTED], { accepted: 1, looks });
  const full = { code: "tenant.backlog_full" };
  expect(answers).toMatchObject([{ executionId: ids[0], status: "queued" }, full, full]);
});
