import { newExecutionId } from "@bulkhead/domain";
import { leakCheck, openTestDatabase, type TestDatabase } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sampleExecution, started, SUCCESS } from "../fixtures/samples.ts";
import { openDatabase, type Database } from "../open-database.ts";

leakCheck();

const DAY_MS = 24 * 3_600_000;
const TENANT = "ten_a";
let anchor: TestDatabase;
let database: Database;
/** Oldest first, over several partitions and the default one. */
let ids: string[];

beforeAll(async () => {
  anchor = await openTestDatabase();
  database = await openDatabase({ url: anchor.url, poolMax: 4 });
  ids = [-90, -30, -7, -6, 0, 1, 8].map((days) => newExecutionId(new Date(Date.now() + days * DAY_MS)));
  await Promise.all(
    ids.map((executionId, index) =>
      database.executions.insert(
        sampleExecution(TENANT, { executionId, toolId: `tool_${index % 2}`, toolName: `name_${index % 3}` }),
      ),
    ),
  );
  await database.executions.insert(sampleExecution("ten_b"));
});
afterAll(async () => {
  await database.close();
  await anchor.close();
});

const list = async (page: object) =>
  (await database.executions.list(TENANT, { limit: 100, ...page })).map(({ executionId }) => executionId);

test("is newest first, over all partitions, and holds one tenant's executions only", async () => {
  expect(await list({})).toEqual(ids.toReversed());
});

test("its pages neither repeat nor leave out, although something newer comes in between", async () => {
  const seen = await list({ limit: 3 });
  await database.executions.insert(
    sampleExecution(TENANT, {
      executionId: newExecutionId(new Date(Date.now() + 9 * DAY_MS)),
      toolName: "later",
    }),
  );
  for (;;) {
    const page = await list({ limit: 3, before: seen.at(-1) });
    if (page.length === 0) break;
    seen.push(...page);
  }
  expect(seen).toEqual(ids.toReversed());
});

test("can be narrowed to a tool, its name and a status", async () => {
  expect(await list({ toolId: "tool_1" })).toEqual(ids.filter((_, index) => index % 2 === 1).toReversed());
  expect(await list({ toolName: "name_2" })).toEqual(ids.filter((_, index) => index % 3 === 2).toReversed());
  const key = await started(database, sampleExecution(TENANT, { toolName: "ended" }));
  await database.executions.finish(key, SUCCESS, "1-2");
  expect(await list({ status: "succeeded" })).toEqual([key.executionId]);
  expect(await list({ status: "succeeded", toolName: "name_1" })).toEqual([]);
});
