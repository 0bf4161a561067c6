import { randomBytes } from "node:crypto";
import { newExecutionId, type Execution, type ExecutionPage, type Json } from "@bulkhead/core";
import { beforeAll, describe, expect, test } from "vitest";
import { sampleExecution, started, SUCCESS } from "../fixtures/samples.ts";
import { EXECUTION_PAGE_BYTES_MAX } from "./list-executions.ts";
import { database, useStores } from "../fixtures/stores.ts";

useStores();

const DAY_MS = 24 * 3_600_000;
const TENANT = "ten_a";
/** Oldest first, over several partitions and the default one. */
let ids: string[];

beforeAll(async () => {
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

const list = async (page: object) =>
  (await database.executions.list(TENANT, { limit: 100, ...page })).executions.map(
    ({ executionId }) => executionId,
  );

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

test("can be narrowed to the calls of one agent, whatever its id is, and paged", async () => {
  const agentId = `o'ne "é"`;
  const made = [];
  for (const context of [
    { agentId },
    {},
    { agentId: "two" },
    { agentId, callId: "c" },
    { userId: agentId },
  ]) {
    const execution = sampleExecution("ten_agents", { context });
    await database.executions.insert(execution);
    made.push(execution.executionId);
  }
  const page = (more: object) => database.executions.list("ten_agents", { agentId, limit: 1, ...more });
  const first = await page({});
  expect([first.executions[0]?.executionId, first.more]).toEqual([made[3], true]);
  const rest = await page({ before: made[3] });
  expect([rest.executions[0]?.executionId, rest.more]).toEqual([made[0], false]);
  expect((await page({ agentId: "none" })).executions).toEqual([]);
});

describe("a page of large executions", () => {
  const MIB = 1024 * 1024;
  /** Stored as it is, and stored in a hundredth: their sizes in the table say nothing about each other. */
  const noise = (bytes: number) => randomBytes(bytes / 2).toString("hex");
  const letters = (bytes: number) => "x".repeat(bytes);

  async function endedWith(tenantId: string, result: Json, toolName = "large"): Promise<string> {
    const key = await started(database, sampleExecution(tenantId, { toolName }));
    await database.executions.finish(key, { ...SUCCESS, result }, "1-2");
    return key.executionId;
  }

  async function pagesOf(tenantId: string, page: ExecutionPage): Promise<Execution[][]> {
    const pages: Execution[][] = [];
    for (let before: string | undefined; ;) {
      const { executions, more } = await database.executions.list(tenantId, {
        ...page,
        ...(before !== undefined && { before }),
      });
      pages.push(executions);
      if (!more) return pages;
      before = executions.at(-1)?.executionId;
      if (before === undefined) throw new Error("a page that has more behind it is empty");
    }
  }
  const idsOf = (pages: Execution[][]) => pages.flat().map(({ executionId }) => executionId);

  test("ends before its bytes' bound, and the pages together leave nothing out and repeat nothing", async () => {
    const large: string[] = [];
    for (let made = 0; made < 30; made++)
      large.push(await endedWith("ten_large", (made % 2 ? noise : letters)(MIB), `name_${made % 3}`));
    const pages = await pagesOf("ten_large", { limit: 100 });
    expect(idsOf(pages)).toEqual(large.toReversed());
    for (const page of pages) {
      expect(page.length).toBeGreaterThan(0);
      expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThanOrEqual(EXECUTION_PAGE_BYTES_MAX);
    }
    // As full as can be: seven of a mebibyte and their other fields fit, eight don't.
    expect(pages.map(({ length }) => length)).toEqual([7, 7, 7, 7, 2]);
    const narrowed = await pagesOf("ten_large", { limit: 100, toolName: "name_1" });
    expect(idsOf(narrowed)).toEqual(large.filter((_, index) => index % 3 === 1).toReversed());
    expect(narrowed.map(({ length }) => length)).toEqual([7, 3]);
  });

  test("holds the first one even where that alone is larger", async () => {
    const [older, newer] = [
      await endedWith("ten_huge", noise(EXECUTION_PAGE_BYTES_MAX)),
      await endedWith("ten_huge", letters(EXECUTION_PAGE_BYTES_MAX)),
    ];
    expect((await pagesOf("ten_huge", { limit: 5 })).map((page) => idsOf([page]))).toEqual([
      [newer],
      [older],
    ]);
  });

  test("is the only one where all are small, also behind a small size in the table", async () => {
    const small: string[] = [];
    for (let made = 0; made < 40; made++) small.push(await endedWith("ten_small", letters(made * 1_000)));
    const [all, ...others] = await pagesOf("ten_small", { limit: 40 });
    expect(idsOf([all ?? []])).toEqual(small.toReversed());
    expect(others).toEqual([]);
    expect((await pagesOf("ten_small", { limit: 39 })).map(({ length }) => length)).toEqual([39, 1]);
  });
});
