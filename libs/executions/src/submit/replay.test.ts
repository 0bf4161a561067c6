import { NOTHING_KEPT, type NewExecution, type Replayable } from "@bulkhead/core";
import { NO_TRACING } from "@bulkhead/process/telemetry";
import { expect, test } from "vitest";
import { NOW, PRINCIPAL, TOOL } from "../fixtures/sample-caller.ts";
import { replayExecution, type ReplayDeps } from "./replay.ts";

/** The call that a replay of this one makes. */
async function replayOf(old: Partial<Replayable>): Promise<NewExecution | undefined> {
  let inserted: NewExecution | undefined;
  const ended: Replayable = {
    tenantId: PRINCIPAL.tenantId,
    executionId: "exe_old",
    status: "failed",
    toolId: TOOL.id,
    arguments: {},
    context: {},
    timeoutMs: 1_000,
    priority: 4,
    retention: null,
    isErased: false,
    ...old,
  };
  const deps = {
    tracing: NO_TRACING,
    clock: () => NOW,
    schemas: { checkArguments: async () => [] },
    tools: { find: async () => ({ ...TOOL, retention: { result: 3 } }) },
    executions: {
      findReplayable: async () => ended,
      insert: async (execution: NewExecution) => void (inserted = execution),
    },
    queue: { reserve: async () => ({ accepted: 1 }), admit: async () => undefined },
    audit: { record: async () => undefined },
    report: () => undefined,
  } as unknown as ReplayDeps;
  const how = { traceId: "", traceparent: null, client: "cli", once: null };
  await replayExecution(deps, PRINCIPAL, "exe_old", how);
  return inserted;
}

test("a replay is kept as its tool says by now, and not at all where nothing was kept of the call", async () => {
  expect((await replayOf({}))?.retention).toEqual({ result: 3 });
  expect((await replayOf({ retention: { arguments: "none" } }))?.retention).toEqual({ result: 3 });
  expect((await replayOf({ retention: NOTHING_KEPT }))?.retention).toEqual(NOTHING_KEPT);
});

test("a call whose arguments are erased can't be made again", async () => {
  await expect(replayOf({ isErased: true })).rejects.toMatchObject({ code: "execution.arguments_erased" });
});

test("a replay tells that it is one, and whose program asked for it", async () => {
  expect(await replayOf({})).toMatchObject({ source: "replay", client: "cli", requestedBy: "key_a" });
});
