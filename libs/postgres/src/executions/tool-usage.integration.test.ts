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
import { one, other, useTwoStores } from "../fixtures/stores.ts";
import type { Database } from "../open-database.ts";

useTwoStores();

const usageOf = async (tenantId: string, toolId: string) =>
  (await one.tools.find(tenantId, toolId, ALL_TOOLS))?.usageCount;

describe("usage of a tool", () => {
  test("is counted once for each execution, however often it was tried and by whom it was ended", async () => {
    const { tenantId, toolId } = await stored(one);
    const run = () => started(one, sampleExecution(tenantId, { toolId }));
    const keys = await Promise.all(Array.from({ length: 30 }, run));
    await Promise.all(
      keys.map((key, index) => (index % 2 ? one : other).executions.finish(key, SUCCESS, "1-2")),
    );
    await Promise.all(keys.map((key) => one.executions.finish(key, SUCCESS, "1-2")));
    expect(await usageOf(tenantId, toolId)).toBe(30);

    const cancelled = await run();
    await one.executions.endFromOutside(cancelled, { status: "cancelled", error: null });
    const retried = await run();
    await one.executions.handBack(retried);
    await one.executions.claim(attemptOf(retried, 2), "w", LEASE_MS);
    await one.executions.finish(attemptOf(retried, 2), SUCCESS, "2-2");
    expect(await usageOf(tenantId, toolId)).toBe(32);
    const { lastUsedAt } = (await one.tools.find(tenantId, toolId, ALL_TOOLS)) ?? {};
    expect(lastUsedAt).toEqual((await one.executions.find(retried))?.finishedAt);
  });

  test("is not counted for what never started", async () => {
    const { tenantId, toolId } = await stored(one);
    const execution = sampleExecution(tenantId, { toolId });
    await one.executions.insert(execution);
    await one.executions.endFromOutside(execution, { status: "cancelled", error: null });
    expect(await usageOf(tenantId, toolId)).toBe(0);
  });

  test("of many tools, counted by two processes in crossing batches, loses nothing", async () => {
    const tools = await Promise.all(Array.from({ length: 8 }, () => stored(one)));
    const keys = await Promise.all(
      Array.from({ length: 160 }, (_, index) => {
        const { tenantId = "", toolId = "" } = tools[index % tools.length] ?? {};
        return started(one, sampleExecution(tenantId, { toolId }));
      }),
    );
    const finishAll = (database: Database, mine: typeof keys) =>
      Promise.all(mine.map((key) => database.executions.finish(key, SUCCESS, "1-2")));
    await Promise.all([finishAll(one, keys.slice(0, 80)), finishAll(other, keys.slice(80).toReversed())]);
    const counts = await Promise.all(tools.map(({ tenantId, toolId }) => usageOf(tenantId, toolId)));
    expect(counts).toEqual(tools.map(() => 20));
  });
});
