import { JsonText, valueOf, type Ending } from "@bulkhead/core";
import { expect, test } from "vitest";
import { ALL_TOOLS, attemptOf, sampleExecution, started, stored, SUCCESS } from "../fixtures/samples.ts";
import { one, other, useTwoStores } from "../fixtures/stores.ts";

useTwoStores();

const TEXT = JSON.stringify(
  Array.from({ length: 20_000 }, (_, id) => ({ id, says: 'a "quote", a \\ and é' })),
);
const LARGE: Ending = { ...SUCCESS, result: new JsonText(TEXT) };

test("a large result is stored as it was made, and is read as text", async () => {
  const execution = sampleExecution("ten_a");
  const ended = await one.executions.finish(await started(one, execution), LARGE, "1-3");
  expect(ended).toMatchObject({ status: "succeeded", endEventId: "1-3", result: new JsonText(TEXT) });
  expect((await other.executions.find(execution))?.result).toEqual(new JsonText(TEXT));
});

test("large and small ends that come together each get their own, claims included", async () => {
  const { tenantId, toolId } = await stored(one);
  const executions = Array.from({ length: 12 }, () => sampleExecution(tenantId, { toolId }));
  await one.executions.insertBatch(executions);
  const ended = await Promise.all(
    executions.map((execution, place) =>
      one.executions.finish(attemptOf(execution), place % 3 === 0 ? LARGE : SUCCESS, "1-3", {
        workerId: "worker-1",
        ranMs: 40,
      }),
    ),
  );
  for (const [place, execution] of executions.entries()) {
    const found = await other.executions.find(execution);
    expect(found).toEqual(ended[place]);
    expect(valueOf(found?.result ?? null)).toEqual(place % 3 === 0 ? JSON.parse(TEXT) : SUCCESS.result);
    expect(found?.attempt).toBe(1);
  }
  expect(await one.tools.find(tenantId, toolId, ALL_TOOLS)).toMatchObject({ usageCount: 12 });
});

test("a large end of an attempt that was lost changes nothing, and one that is asked for again answers the same", async () => {
  const execution = sampleExecution("ten_a");
  const attempt = await started(one, execution);
  const first = await one.executions.finish(attempt, LARGE, "1-3");
  expect(await one.executions.finish(attempt, LARGE, "1-3")).toEqual(first);
  expect(await one.executions.finish(attempt, LARGE, "1-4")).toBeNull();
  expect(await one.executions.finish({ ...attempt, attempt: 2 }, LARGE, "2-3")).toBeNull();
});
