import type { IdempotencyKey } from "@bulkhead/core";
import { NO_TRACING } from "@bulkhead/process/telemetry";
import { expect, test, vi } from "vitest";
import { NOW, PRINCIPAL, TOOL } from "../fixtures/sample-caller.ts";
import { nextExecutionId, PLAIN_CALL, type NewCall } from "./build-execution.ts";
import { submitExecution, type SubmitDeps } from "./submit.ts";

/** What a call in a full backlog comes to whose key, once it is looked up, stands for this. */
function submitted(once: IdempotencyKey | null, found: object | null) {
  const deps = {
    tracing: NO_TRACING,
    clock: () => NOW,
    schemas: { checkArguments: vi.fn().mockResolvedValue([]) },
    executions: { findByKey: async () => found },
    queue: { reserve: async () => ({ accepted: 0, refusedFor: "backlog", waitMs: 0, waiting: 3 }) },
  } as unknown as SubmitDeps;
  const call = { ...PLAIN_CALL, arguments: {}, context: {}, executionId: nextExecutionId(() => NOW), once };
  return submitExecution(deps, PRINCIPAL, TOOL, call as unknown as NewCall);
}

const ONCE = { key: "call/k", bodyHash: "b" };
const FULL = { code: "tenant.backlog_full" };

test("a repeat that meets the limit which the first call took up is answered with that call", async () => {
  expect(await submitted(ONCE, { executionId: "exe_first", sameBody: true })).toEqual({
    executionId: "exe_first",
    repeated: true,
  });
});

test("what is no repeat is refused with the limit that it met, or with the conflict of its key", async () => {
  await expect(submitted(null, null)).rejects.toMatchObject(FULL);
  await expect(submitted(ONCE, null)).rejects.toMatchObject(FULL);
  const taken = { executionId: "exe_first", sameBody: false };
  await expect(submitted(ONCE, taken)).rejects.toMatchObject({ code: "idempotency.conflict" });
});

test("a repeat of a call whose execution was deleted is refused, and runs nothing", async () => {
  const deleted = { executionId: "exe_first", sameBody: true, isDeleted: true };
  await expect(submitted(ONCE, deleted)).rejects.toMatchObject({ code: "idempotency.execution_deleted" });
});
