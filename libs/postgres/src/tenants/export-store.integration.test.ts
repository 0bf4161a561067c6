import { EXPORT_KINDS, newToolId, type ExportKind, type TenantExportStore } from "@bulkhead/core";
import { insertWholeTenant, NEVER_TOLD, queryRows, type WholeTenant } from "@bulkhead/testing";
import { beforeAll, expect, test } from "vitest";
import { sampleExecution, sampleTenant, sampleTool, started, SUCCESS } from "../fixtures/samples.ts";
import { EXPORTED_TABLES } from "./export-kinds.ts";
import { EXPORT_ROWS_MAX } from "./export-query.ts";
import { database, testDatabase, useStores } from "../fixtures/stores.ts";

useStores();

let store: TenantExportStore;
let whole: WholeTenant;

beforeAll(async () => {
  store = database.tenantExports;
  whole = await insertWholeTenant(testDatabase.url);
  await insertWholeTenant(testDatabase.url);
});

const TABLE_KINDS = EXPORT_KINDS.filter((kind) => kind !== "execution-logs");

/** Pages of lines, the last empty one left out. */
async function pagesOf(tenantId: string, kind: Exclude<ExportKind, "execution-logs">): Promise<string[][]> {
  const pages: string[][] = [];
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof store.page>> = await store.page(tenantId, kind, after);
    if (page.lines.length > 0) pages.push(page.lines);
    after = page.next;
  } while (after !== null);
  return pages;
}
const linesOf = async (tenantId: string, kind: Exclude<ExportKind, "execution-logs">) =>
  (await pagesOf(tenantId, kind)).flat().map((line) => JSON.parse(line));

/** Tables whose rows leave otherwise, or have nothing of a tenant's own. */
const NOT_BY_COLUMNS = {
  version_reviews: "with their versions",
  execution_logs: "as events",
  log_pieces: "as events",
  due_logs: "a queue",
  due_erasures: "a queue",
  tool_terms: "made of the tools",
  file_usage: "counted of the files",
  data_usage: "counted of the documents",
  message_counts: "of the last day alone",
  memory_documents: "made of the files",
  memory_chunks: "made of the files",
  device_pairing_codes: "over in ten minutes",
  data_keys: "secret",
  master_keys: "the platform's",
  _prisma_migrations: "the platform's",
};

test("every column of every table leaves in an export or is said to stay", async () => {
  const columns = await queryRows(
    testDatabase.url,
    `SELECT c.table_name AS "table", c.column_name AS "column" FROM information_schema.columns AS c
      JOIN pg_class AS p ON p.relname = c.table_name AND p.relkind IN ('r', 'p') AND NOT p.relispartition
      WHERE c.table_schema = 'public'`,
  );
  const known = Object.values(EXPORTED_TABLES).flatMap(({ from, columns: told, times, left }) =>
    [...told, ...times, ...left].map((column) => `${from}.${column}`),
  );
  const there = columns
    .filter(({ table }) => !(String(table) in NOT_BY_COLUMNS))
    .map(({ table, column }) => `${String(table)}.${String(column)}`);
  expect(known.toSorted()).toEqual(there.toSorted());
});

test("each kind has the tenant's own rows, and nothing of any has what is secret", async () => {
  for (const kind of TABLE_KINDS) {
    const text = (await pagesOf(whole.tenantId, kind)).flat().join("\n");
    expect(text, kind).not.toBe("");
    expect(text, kind).not.toContain(NEVER_TOLD);
    expect(text, kind).not.toContain("ten_");
  }
  const [tool] = await linesOf(whole.tenantId, "tools");
  expect(tool).toMatchObject({
    id: `tool_${whole.mark}`,
    createdBy: "user",
    createdAt: expect.stringMatching(/Z$/),
  });
  expect(await linesOf(whole.tenantId, "tool-versions")).toMatchObject([
    { version: 1, code: "return 1", review: { state: "approved" } },
    { version: 2, code: "return 1", review: { state: "approved" } },
  ]);
  expect(await linesOf(whole.tenantId, "config-entries")).toMatchObject([
    { service: "weather", values: { base_url: "https://weather.example" }, secretFields: ["api_key"] },
  ]);
  const executions = await linesOf(whole.tenantId, "executions");
  expect(executions.map(({ id }) => id)).toEqual(whole.executionIds.toSorted());
  expect(executions[0]).toMatchObject({
    arguments: { text: "hello" },
    result: { answer: 42 },
    callbackUrl: "https://hooks.example/a",
  });
  const usage = await linesOf(whole.tenantId, "usage");
  expect(usage.reduce((sum, { executions: count }) => sum + count, 0)).toBe(whole.executionIds.length);
});

test("pages go on where the one before ended, and nothing comes twice", async () => {
  const { id } = await database.tenants.create(sampleTenant());
  const count = EXPORT_ROWS_MAX + 50;
  await testDatabase.execute(`INSERT INTO audit_entries (id, tenant_id, action, subject_type, subject_id, role, key_id)
    SELECT 'aud_' || lpad(n::text, 16, '0'), '${id}', 'tool.created', 'tool', 'tool_1', 'owner', 'key_1'
    FROM generate_series(1, ${count}) AS n`);
  const pages = await pagesOf(id, "audit");
  expect(pages.map(({ length }) => length)).toEqual([EXPORT_ROWS_MAX, 50]);
  expect(new Set(pages.flat()).size).toBe(count);
  const toolId = newToolId();
  await database.tools.create(sampleTool(id, { id: toolId }));
  await testDatabase.execute(`INSERT INTO tool_versions (tool_id, version, code, parameters, permissions, limits, created_at)
    SELECT '${toolId}', n, '', '{}', '{}', '{}', now() FROM generate_series(2, ${count}) AS n`);
  const versions = (await linesOf(id, "tool-versions")).map(({ version }) => version);
  expect(versions).toEqual(Array.from({ length: count }, (_, n) => n + 1));
});

test("large rows share a page with few others, a line break between values takes no line apart", async () => {
  const { id } = await database.tenants.create(sampleTenant());
  const noise = () => ({ text: Array.from({ length: 30_000 }, () => Math.random().toString(36)).join("") });
  for (let n = 0; n < 4; n += 1) {
    const key = await started(database, sampleExecution(id, { arguments: noise() }));
    await database.executions.finish(key, SUCCESS, "1-2");
  }
  expect((await pagesOf(id, "executions")).map(({ length }) => length)).toEqual([1, 1, 1, 1]);
  const { executionId } = await started(database, sampleExecution(id));
  await testDatabase.execute(
    `UPDATE executions SET arguments = E'{\\n  "text": "a\\\\nb"\\r\\n}' WHERE id = '${executionId}'`,
  );
  const [line = ""] = (await pagesOf(id, "executions")).flat().slice(-1);
  expect(line).not.toMatch(/[\r\n]/);
  expect(JSON.parse(line)).toMatchObject({ arguments: { text: "a\nb" } });
});

test("logs come in pieces, those of another tenant not among them", async () => {
  const first = await store.logPieces(whole.tenantId, null);
  expect(first.pieces).toHaveLength(whole.executionIds.length);
  expect(await store.logPieces(whole.tenantId, first.next)).toEqual({ pieces: [], next: null });
  expect(await store.logPieces("ten_0000000000000000", null)).toEqual({ pieces: [], next: null });
});
