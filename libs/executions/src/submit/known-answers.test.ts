import { expect, test } from "vitest";
import { knownAnswers, type KnownAnswersDeps } from "./known-answers.ts";

const PRINCIPAL = { tenantId: "ten_a" } as Parameters<typeof knownAnswers>[1];
const part = (place: number) => ({
  once: { key: `part/${place}/k`, bodyHash: "body", partOf: "k" },
});

/** Between the look at its key and the one at itself. */
const JUST_DELETED = "exe_just_deleted";
const holding = (keys: Record<string, { executionId: string; sameBody: boolean; isDeleted?: boolean }>) =>
  ({
    executions: {
      findByKeys: async () =>
        new Map(Object.entries(keys).map(([key, known]) => [key, { isDeleted: false, ...known }])),
      find: async ({ executionId }: { executionId: string }) =>
        executionId === JUST_DELETED ? null : { status: "succeeded" },
    },
  }) as unknown as KnownAnswersDeps;

test("a part that was refused the first time is open, the others have their answers", async () => {
  const deps = holding({
    k: { executionId: "exe_0", sameBody: true },
    "part/0/k": { executionId: "exe_0", sameBody: true },
  });
  const first = { executionId: "exe_0", status: "succeeded", repeated: true };
  expect(await knownAnswers(deps, PRINCIPAL, [part(0), part(1), null])).toEqual([
    first,
    undefined,
    undefined,
  ]);
});

test("another request under the key is a conflict, also where none of its parts has met one", async () => {
  const deps = holding({ k: { executionId: "exe_0", sameBody: false } });
  await expect(knownAnswers(deps, PRINCIPAL, [part(7)])).rejects.toMatchObject({
    code: "idempotency.conflict",
  });
});

test("a part whose execution was deleted is refused and not run again, and the others have their answers", async () => {
  const deps = holding({
    k: { executionId: "exe_0", sameBody: true, isDeleted: true },
    "part/0/k": { executionId: "exe_0", sameBody: true, isDeleted: true },
    "part/1/k": { executionId: "exe_1", sameBody: true },
  });
  const [deleted, other] = await knownAnswers(deps, PRINCIPAL, [part(0), part(1)]);
  expect(deleted).toMatchObject({ code: "idempotency.execution_deleted" });
  expect(other).toEqual({ executionId: "exe_1", status: "succeeded", repeated: true });
});

test("a part whose execution is deleted at that very moment is not told to be queued", async () => {
  const deps = holding({
    k: { executionId: JUST_DELETED, sameBody: true },
    "part/0/k": { executionId: JUST_DELETED, sameBody: true },
  });
  const [answer] = await knownAnswers(deps, PRINCIPAL, [part(0)]);
  expect(answer).toMatchObject({ code: "idempotency.execution_deleted" });
});
