import type { EventStream, Execution, ExecutionEvent, StreamGap } from "@bulkhead/core";
import { expect, test } from "vitest";
import { followCall, goesOn } from "./follow-call.ts";

const key = { tenantId: "ten_1", executionId: "exe_1" };
const about = { executionId: "exe_1", attempt: 1, at: "2026-11-26T00:00:00.000Z" };
const queued: ExecutionEvent = { ...about, id: "0-1", type: "execution.queued" };
const asked: ExecutionEvent = {
  ...about,
  id: "0-2",
  type: "execution.awaiting_approval",
  approvalId: "apr_1",
  expiresAt: "",
};
const succeeded = { executionId: "exe_1", status: "succeeded" } as Execution;
const end = { ...about, id: "1-4", type: "execution.succeeded", execution: succeeded } as ExecutionEvent;
const row = { executionId: "exe_1", status: "awaiting_approval" } as Execution;

/** A stream that tells these events and then nothing, until nobody listens. */
const telling = (...events: (ExecutionEvent | StreamGap)[]): Pick<EventStream, "follow"> => ({
  async *follow(_key, _after, signal) {
    yield* events;
    if (!signal.aborted)
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  },
});

async function all(
  stream: Pick<EventStream, "follow">,
  {
    isHeld = false,
    signal = new AbortController().signal,
    bounds = { holdMsMax: 20, silenceMsMax: 60_000 },
  } = {},
) {
  const told: unknown[] = [];
  const events = followCall(
    { stream, findExecution: async () => row },
    key,
    { after: null, signal, isHeld },
    bounds,
  );
  for (;;) {
    const { done, value } = await events.next();
    if (done) return { told, end: value };
    told.push(value);
  }
}

test("an execution is followed to its end", async () => {
  expect(await all(telling(queued, end))).toEqual({ told: [queued], end: succeeded });
});

test("a call that waits for a person is held for a while, and then answered as it is", async () => {
  const { told, end: answered } = await all(telling(queued, asked));
  expect(told).toEqual([queued, asked]);
  expect([answered, goesOn(answered)]).toEqual([row, true]);
});

test("a call that was allowed in time is held to its end", async () => {
  expect((await all(telling(asked, queued, end))).end).toBe(succeeded);
});

test("who asks for a result again is held for a while whatever it does", async () => {
  expect((await all(telling(queued), { isHeld: true })).end).toBe(row);
});

test("silence is told again and again", async () => {
  const deps = { stream: telling(), findExecution: async () => row };
  const how = { after: null, signal: new AbortController().signal, isHeld: false };
  const events = followCall(deps, key, how, { holdMsMax: 60_000, silenceMsMax: 1 });
  expect([(await events.next()).value, (await events.next()).value]).toEqual(["silence", "silence"]);
  await events.return(row);
});

test("a gap is nothing to tell", async () => {
  const gap: StreamGap = { type: "execution.gap", from: "1-1", to: "1-9" };
  expect((await all(telling(gap, end))).told).toEqual([]);
});

test("nobody is waited for who has left", async () => {
  expect((await all(telling(queued), { signal: AbortSignal.abort() })).end).toBe(row);
});

test("a stream that breaks is a failure", async () => {
  const stream: Pick<EventStream, "follow"> = {
    async *follow() {
      yield queued;
      throw new Error("gone");
    },
  };
  await expect(all(stream)).rejects.toThrow("gone");
});
