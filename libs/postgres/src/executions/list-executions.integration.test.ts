import { newExecutionId, STATS_GROUPS_MAX } from "@bulkhead/core";
import { isNightly, queryRows } from "@bulkhead/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { openClient } from "../client.ts";
import { isMeant, randomFilter, randomOf, randomRow, type RandomRow } from "../fixtures/random-executions.ts";
import { sampleExecution, started, SUCCESS } from "../fixtures/samples.ts";
import { database, testDatabase, useStores } from "../fixtures/stores.ts";
import { findPage } from "./find-page.ts";

useStores();

const CLIENT = {
  poolMax: 1,
  applicationName: "lists",
  connectMsMax: 5_000,
  statementMsMax: 5_000,
  planning: "anew",
} as const;
/** Random filters that are tried. */
const FILTERS = isNightly ? 100 : 4;
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
  expect(await list({ statuses: ["succeeded"] })).toEqual([key.executionId]);
  expect(await list({ statuses: ["succeeded"], toolName: "name_1" })).toEqual([]);
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
  expect([first.executions[0]?.executionId, first.next]).toEqual([made[3], made[3]]);
  const rest = await page({ before: made[3] });
  expect([rest.executions[0]?.executionId, rest.next]).toEqual([made[0], null]);
  expect((await page({ agentId: "none" })).executions).toEqual([]);
});

test("holds no payload, but its bytes, also where nobody had counted them", async () => {
  const made = { arguments: { text: "é" }, context: { userId: "u" } };
  const key = await started(database, sampleExecution("ten_bytes", made));
  await database.executions.finish(key, { ...SUCCESS, result: ["\u{1F600}"] }, "1-2");
  const bytes = { argumentsBytes: 13, resultBytes: 8 };
  const [listed] = (await database.executions.list("ten_bytes", { limit: 1 })).executions;
  const { arguments: _given, result: _told, ...facts } = (await database.executions.find(key)) ?? {};
  expect(listed).toEqual({ ...facts, ...bytes });
  await testDatabase.execute("UPDATE executions SET arguments_bytes = NULL, result_bytes = NULL");
  expect((await database.executions.list("ten_bytes", { limit: 1 })).executions).toEqual([listed]);
  const [open] = (await database.executions.list("ten_b", { limit: 1 })).executions;
  expect(open).toMatchObject({ resultBytes: 4 });
});

describe("whatever filter is asked for", () => {
  const SEED = 20_261_126;
  const random = randomOf(SEED);
  const tenantId = "ten_filters";
  const times = Array.from({ length: 40 }, (_, n) => new Date(Date.now() - n * DAY_MS - n));
  const rows: RandomRow[] = [];
  const insert = async (made: RandomRow[]) => {
    rows.push(...made.filter((row) => row.tenant_id === tenantId));
    const sql = "INSERT INTO executions SELECT * FROM json_populate_recordset(NULL::executions, $1::json)";
    await queryRows(testDatabase.url, sql, [JSON.stringify(made)]);
  };
  const someOf = (tenant: string, count: number) =>
    Array.from({ length: count }, () =>
      randomRow(random, tenant, times[Math.floor(random() * times.length)] ?? new Date()),
    );

  beforeAll(async () => {
    await insert([...someOf(tenantId, 400), ...someOf("ten_others", 100)]);
    // No recordset takes a NUL, and tools' errors may have one.
    const odd = String.raw`"message":"\u0000 \"code\":\"tool.threw\""`;
    await testDatabase.execute(
      `UPDATE executions SET error = replace(error::text, '"message":""', '${odd}')::json WHERE error IS NOT NULL`,
    );
  });

  test("pages hold what it means, each once, newest first, while others come, however little a page looks at", async () => {
    const client = openClient({ ...CLIENT, url: testDatabase.url });
    try {
      for (let round = 0; round < FILTERS; round += 1) {
        const filter = randomFilter(random, times);
        const meant = rows.filter((row) => isMeant(filter, row)).map(({ id }) => id);
        const seen: string[] = [];
        for (let before: string | undefined, page; ; before = page.next) {
          const asked = { ...filter, limit: 9, ...(before !== undefined && { before }) };
          page = await findPage(client, tenantId, asked, round % 2 ? { entries: 25, rows: 12 } : undefined);
          seen.push(...page.ids);
          if (page.next === null) break;
          if (round < 10) await insert([randomRow(random, tenantId, new Date(Date.now() + round * 1_000))]);
        }
        expect({ filter, seen }).toEqual({ filter, seen: meant.toSorted().toReversed() });
      }
    } finally {
      await client.$disconnect();
    }
  });

  test.each(["source", "tool"] as const)("statistics by %s count what it means", async (groupBy) => {
    const signal = new AbortController().signal;
    for (let round = 0; round < FILTERS / 4; round += 1) {
      const { from: _early, to: _late, ...filter } = randomFilter(random, times);
      const [from, to] = [new Date(Date.now() - 30 * DAY_MS), new Date(Date.now() - 5 * DAY_MS)];
      const meant = rows.filter((row) => isMeant({ ...filter, from, to }, row));
      const question = { filter, from, to, bucket: "day", groupBy } as const;
      const buckets = (await database.executionStats.count(tenantId, question, signal)) ?? [];
      const counted = buckets.map(({ at, key, counts, p50Ms }) => [
        `${at.toISOString()} ${key}`,
        counts,
        p50Ms,
      ]);
      const keyOf = groupBy === "source" ? (row: RandomRow) => row.source : largestTools(meant);
      const groups = Map.groupBy(meant, (row) => `${dayOf(row.created_at)} ${keyOf(row)}`);
      const expected = [...groups].map(([name, all]) => [name, countsOf(all), medianOf(all)]);
      expect({ filter, counted }).toEqual({
        filter,
        counted: expected.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
      });
    }
  });
});

const dayOf = (at: Date): string => new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS).toISOString();

/** The tool of a row where it is among those with the most of them, else null. */
function largestTools(all: RandomRow[]): (row: RandomRow) => string | null {
  const byTool = [...Map.groupBy(all, (row) => row.tool_id)];
  byTool.sort(([a, some], [b, others]) => others.length - some.length || (a < b ? -1 : 1));
  const told = new Set(byTool.slice(0, STATS_GROUPS_MAX).map(([toolId]) => toolId));
  return ({ tool_id: toolId }) => (told.has(toolId) ? toolId : null);
}

const countsOf = (all: RandomRow[]) =>
  Object.fromEntries(
    [...Map.groupBy(all, ({ status }) => status)].map(([status, some]) => [status, some.length]),
  );

/** The smallest duration that half of the ended ones do not exceed; below 50 ms exact, else within 1 and a half. */
function medianOf(all: RandomRow[]): unknown {
  const took = all
    .flatMap((row) => (row.finished_at ? [row.finished_at.getTime() - row.created_at.getTime()] : []))
    .toSorted((a, b) => a - b);
  const middle = took[Math.ceil(took.length / 2) - 1] ?? null;
  return middle !== null && middle > 50 ? expect.closeTo(middle, -0.5) : middle;
}
