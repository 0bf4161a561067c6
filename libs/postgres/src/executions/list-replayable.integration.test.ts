import { randomBytes } from "node:crypto";
import type { Execution, Json } from "@bulkhead/core";
import { isNightly } from "@bulkhead/testing";
import { expect, test } from "vitest";
import { sampleExecution, started, SUCCESS } from "../fixtures/samples.ts";
import { database, useStores } from "../fixtures/stores.ts";
import { REPLAYED_BYTES_MAX } from "./list-replayable.ts";

useStores();

const MIB = 1024 * 1024;
/** Stored as it is, and stored in a hundredth: their sizes in the table say nothing about each other. */
const noise = (bytes: number) => randomBytes(bytes / 2).toString("hex");
const letters = (bytes: number) => "x".repeat(bytes);

async function endedWith(tenantId: string, result: Json, toolName = "large"): Promise<string> {
  const key = await started(database, sampleExecution(tenantId, { toolName }));
  await database.executions.finish(key, { ...SUCCESS, result }, "1-2");
  return key.executionId;
}

const idsOf = (executions: Execution[]) => executions.map(({ executionId }) => executionId);
const replayable = (tenantId: string, toolName = "large", limit = 100) =>
  database.executions.listReplayable(tenantId, { toolName }, limit);

test("what is to be replayed ends before its bytes' bound", async () => {
  const large: string[] = [];
  for (let made = 0; made < 10; made++)
    large.push(await endedWith("ten_large", (made % 2 ? noise : letters)(MIB)));
  const found = await replayable("ten_large");
  // As full as can be: seven of a mebibyte and their other fields fit, eight don't.
  expect(idsOf(found)).toEqual(large.toReversed().slice(0, 7));
  expect(Buffer.byteLength(JSON.stringify(found))).toBeLessThanOrEqual(REPLAYED_BYTES_MAX);
});

test.runIf(isNightly)("it holds the first one even where that alone is larger", async () => {
  await endedWith("ten_huge", noise(REPLAYED_BYTES_MAX));
  const newer = await endedWith("ten_huge", letters(REPLAYED_BYTES_MAX));
  expect(idsOf(await replayable("ten_huge"))).toEqual([newer]);
});

test("it holds all where all are small, also behind a small size in the table", async () => {
  const small: string[] = [];
  for (let made = 0; made < 40; made++) small.push(await endedWith("ten_small", letters(made * 1_000)));
  expect(idsOf(await replayable("ten_small"))).toEqual(small.toReversed());
  expect(await replayable("ten_small", "large", 39)).toHaveLength(39);
});
