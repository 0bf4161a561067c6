import type { EndWatch, Execution } from "@bulkhead/core";
import { expect, test } from "vitest";
import { waitForEnd, type WaitDeps } from "./wait-for-end.ts";

const KEY = { tenantId: "ten_a", executionId: "exe_1" };
const DEADLINE = new Date(1_000);

/** Waits past the deadline for an execution that is so by then, of which nothing is heard. */
async function waited(row: Partial<Execution>) {
  const deps = {
    executions: {
      find: async () => ({ ...KEY, approval: null, deadlineAt: DEADLINE, ...row }),
      endFromOutside: async () => ({ ...KEY, status: "timed_out", endEventId: null, attempt: 1 }),
    },
    queue: { release: async () => undefined },
    stream: { append: async () => true },
    bus: { publish: async () => undefined },
    tenantEvents: { publish: async () => undefined },
    report: () => undefined,
    clock: () => DEADLINE,
  } as unknown as WaitDeps;
  const watch = { ended: new Promise(() => undefined) } as unknown as EndWatch;
  return waitForEnd(deps, KEY, DEADLINE, watch, new AbortController().signal);
}

test("what goes on at its deadline is ended", async () => {
  expect(await waited({ status: "running" })).toMatchObject({ status: "timed_out" });
});

test("what a person was asked about and allowed has its time from the answer on, also for who did not hear of it", async () => {
  const answer = { answer: "allow_once", by: "key_1", at: "" } as const;
  const approval = { timeoutMs: 1_000, expiresAt: "", asking: { because: "answered" }, answer } as const;
  const later = { approval, status: "running", deadlineAt: new Date(5_000) } as const;
  expect(await waited(later)).toMatchObject({ status: "running" });
  expect(await waited({ ...later, deadlineAt: DEADLINE })).toMatchObject({ status: "timed_out" });
});
