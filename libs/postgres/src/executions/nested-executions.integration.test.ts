import { newExecutionId, type AttemptKey, type NestedExecution } from "@bulkhead/core";
import { describe, expect, test } from "vitest";
import {
  ALL_TOOLS,
  attemptOf,
  LEASE_MS,
  sampleExecution,
  started,
  stored,
  SUCCESS,
} from "../fixtures/samples.ts";
import { database, useStores } from "../fixtures/stores.ts";

useStores();

/** A lease that ended before it began, since its end is rounded to a millisecond, up too. */
const RUN_OUT_MS = -1;

const nestedIn = (
  parent: AttemptKey,
  toolId: string,
  fields: Partial<NestedExecution> = {},
): NestedExecution => ({
  tenantId: parent.tenantId,
  executionId: newExecutionId(new Date()),
  parent,
  depth: 2,
  toolId,
  toolName: "inner",
  toolVersion: 1,
  argumentsJson: '{"z":1,"a":"\\u0000"}',
  context: { callId: "c" },
  createdAt: new Date(),
  deadlineAt: new Date(Date.now() + 60_000),
  idempotent: true,
  retention: null,
  ...fields,
});
const begin = (nested: NestedExecution, leaseMs = LEASE_MS) =>
  database.executions.beginNested(nested, "worker-1", leaseMs);
const callerAndTool = async () => {
  const { tenantId, toolId } = await stored(database);
  const caller = await started(database, sampleExecution(tenantId, { byAgent: true }));
  return { caller, toolId };
};

describe("what a tool calls", () => {
  test("runs at once under its caller, is ended by its holder, and counts for its tool", async () => {
    const { caller, toolId } = await callerAndTool();
    const nested = nestedIn(caller, toolId);
    expect(await begin(nested)).toBe("begun");
    expect(await database.executions.findReplayable(nested)).toMatchObject({ toolId: null });
    expect(await database.executions.find(nested)).toMatchObject({
      parentId: caller.executionId,
      status: "running",
      attempt: 1,
      arguments: { z: 1, a: "\u0000" },
      traceId: "0af7651916cd43dd8448eb211c80319c",
    });
    const key = attemptOf(nested);
    expect(await database.executions.markEffect(key, LEASE_MS)).toBe(true);
    expect(await database.executions.renewLeases([key], LEASE_MS)).toEqual([key]);
    const ended = await database.executions.finish(key, { ...SUCCESS, endedBy: "isolate" }, "1-3");
    expect(ended).toMatchObject({ status: "succeeded", parentId: caller.executionId, endedBy: "isolate" });
    expect(await database.executions.find(nested)).toEqual(ended);
    expect(await database.tools.find(caller.tenantId, toolId, ALL_TOOLS)).toMatchObject({ usageCount: 1 });
  });

  test("does not begin for a caller that has ended, lost its lease, holds another attempt or is another tenant's", async () => {
    const { caller, toolId } = await callerAndTool();
    const later = { ...caller, attempt: 2 };
    expect(await begin(nestedIn(later, toolId))).toBe("caller_gone");
    expect(await begin(nestedIn(caller, toolId, { tenantId: "ten_b" }))).toBe("caller_gone");
    await database.executions.renewLeases([caller], RUN_OUT_MS);
    expect(await begin(nestedIn(caller, toolId))).toBe("caller_gone");
    await database.executions.renewLeases([caller], LEASE_MS);
    await database.executions.finish(caller, SUCCESS, "1-2");
    expect(await begin(nestedIn(caller, toolId))).toBe("caller_gone");
  });

  test("does not begin where its tool is not active, or another tenant's", async () => {
    const { caller, toolId } = await callerAndTool();
    const { toolId: foreign } = await stored(database);
    await database.tools.setStatus(caller.tenantId, toolId, ["active"], "disabled");
    expect(await begin(nestedIn(caller, toolId))).toBe("not_active");
    expect(await begin(nestedIn(caller, foreign))).toBe("not_active");
  });

  test("is lost with its worker, however harmless: only its caller is tried again", async () => {
    const { caller, toolId } = await callerAndTool();
    const nested = nestedIn(caller, toolId);
    await begin(nested, RUN_OUT_MS);
    await database.executions.renewLeases([caller], RUN_OUT_MS);
    const { requeued, lost } = await database.executions.recoverExpiredLeases(100);
    expect(requeued.map(({ executionId }) => executionId)).toEqual([caller.executionId]);
    expect(lost).toMatchObject([{ executionId: nested.executionId, status: "lost" }]);
  });
});

describe("another try in place", () => {
  test("makes the holder's attempt the next one; the one before is fenced off", async () => {
    const key = await started(database, sampleExecution("ten_a"));
    expect(await database.executions.tryAgain(key, LEASE_MS)).toBe(true);
    expect(await database.executions.tryAgain(key, LEASE_MS)).toBe(false);
    expect(await database.executions.finish(key, SUCCESS, "1-2")).toBeNull();
    const second = { ...key, attempt: 2 };
    expect(await database.executions.finish(second, SUCCESS, "2-2")).toMatchObject({ attempt: 2 });
  });

  test("is refused after an effect, unless the tool is idempotent", async () => {
    const careless = await started(database, sampleExecution("ten_a"));
    const idempotent = await started(database, sampleExecution("ten_a", { idempotent: true }));
    for (const key of [careless, idempotent]) await database.executions.markEffect(key, LEASE_MS);
    expect(await database.executions.tryAgain(careless, LEASE_MS)).toBe(false);
    expect(await database.executions.tryAgain(idempotent, LEASE_MS)).toBe(true);
  });
});
