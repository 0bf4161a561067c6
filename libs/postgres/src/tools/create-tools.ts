import {
  type DeletedTool,
  type JudgedChange,
  type JudgedDeletion,
  type McpServerMark,
  type NewTool,
  type StoredTools,
  type Tool,
  Fault,
} from "@bulkhead/core";
import { Prisma, type PrismaClient } from "../generated/client.ts";
import { jsonOrNull, VERSION_FIELDS, versionOf } from "./insert-version.ts";
import { deleteOne, lockNames, staleNames } from "./name-records.ts";
import { toTool, type ToolRow } from "./tool-row.ts";
import { insertReviews } from "./version-reviews.ts";
import { changeOne, COLUMNS, namingTheTaken, type Step } from "./write-tools.ts";

/** Of a tool and its first version. Throws `tool.name_taken` and `tool.changed`. */
export const createTool = async (client: PrismaClient, tool: NewTool): Promise<Tool> =>
  theOne(await createTools(client, [tool]));

/** Tools of one INSERT: PostgreSQL takes 65,535 values in a statement, and Prisma half as many. */
const INSERTED_AT_ONCE = 100;

/** All of them with their first versions, in this order, or none. Throws `tool.name_taken` and `tool.changed`. */
export async function createTools(client: PrismaClient, tools: readonly NewTool[]): Promise<Tool[]> {
  if (tools.length === 0) return [];
  if (tools.length > INSERTED_AT_ONCE) return (await storeTools(client, tools, [], [])).tools;
  const [, rows] = await namingTheTaken(() =>
    client.$transaction([lockNames(client, tools), insertTools(client, tools)]),
  );
  return createdOf(tools, rows);
}

/** The longest that one step with many changes takes; milliseconds. */
const MANY_MS_MAX = 20_000;

/**
 * The same, and behind the tools the changed ones, in one step, before which the deleted ones give up their names. Rows are held
 * in the order of their ids, as whoever writes several of them does.
 */
export function storeTools(
  client: PrismaClient,
  tools: readonly NewTool[],
  changes: readonly JudgedChange[],
  deletions: readonly JudgedDeletion[],
  of?: McpServerMark,
): Promise<StoredTools> {
  const names = changes.flatMap(({ tool, change: { alias = null } }) => [tool, { ...tool, alias }]);
  const gone = deletions.map(({ tool }) => tool);
  const work = async (step: Step): Promise<StoredTools> => {
    // First, as who deletes a server holds it before its tools' names.
    if (of !== undefined) await holdServer(step, of);
    await lockNames(step, [...tools, ...names, ...gone]);
    if (gone.length > 0) await holdRows(step, [...changes, ...deletions]);
    const deleted: DeletedTool[] = [];
    for (const { tool, record } of deletions) {
      const [row] = await deleteOne(step, tool.tenantId, tool.id, tool.revision, record);
      if (!row) throw changedMeanwhile(tool);
      deleted.push({ schedulesPaused: row.schedulesPaused });
    }
    const changed = new Map<string, Tool>();
    for (const { tool, change } of changes.toSorted((a, b) => (a.tool.id < b.tool.id ? -1 : 1))) {
      const [row] = await changeOne(step, tool.tenantId, tool.id, tool.revision, change);
      if (!row) throw changedMeanwhile(tool);
      changed.set(tool.id, toTool(row));
    }
    const created: Tool[] = [];
    for (const part of inParts(tools)) created.push(...createdOf(part, await insertTools(step, part)));
    return { tools: [...created, ...changes.map(({ tool }) => theOne([changed.get(tool.id)]))], deleted };
  };
  return namingTheTaken(() => client.$transaction(work, { timeout: MANY_MS_MAX }));
}

/** The server stays as it is to the end of the transaction. In SQL for the lock. */
async function holdServer(step: Step, { tenantId, name, createdAt, revision }: McpServerMark): Promise<void> {
  const held = await step.$queryRaw<unknown[]>`
    SELECT name FROM mcp_servers WHERE tenant_id = ${tenantId} AND name = ${name}
      AND created_at = ${createdAt}::timestamptz AND revision = ${revision}::int FOR SHARE`;
  if (held.length > 0) return;
  throw new Fault("tool.changed", { detail: `The server ${name} was deleted or changed meanwhile.` });
}

const changedMeanwhile = ({ name }: Tool): Fault =>
  new Fault("tool.changed", { detail: `The tool ${name} was changed meanwhile; repeat.` });

/** Deleted rows go before the changed ones, in whichever order their ids are. */
const holdRows = (step: Step, rows: readonly { tool: Tool }[]) =>
  step.$queryRaw`SELECT id FROM tools WHERE id = ANY(${rows.map(({ tool }) => tool.id)}::text[]) ORDER BY id FOR UPDATE`;

const inParts = (tools: readonly NewTool[]): NewTool[][] =>
  Array.from({ length: Math.ceil(tools.length / INSERTED_AT_ONCE) }, (_, at) =>
    tools.slice(at * INSERTED_AT_ONCE, (at + 1) * INSERTED_AT_ONCE),
  );

/** No rows where one of them was judged by a name's record that is another by now. */
function insertTools(step: Step, tools: readonly NewTool[]): Prisma.PrismaPromise<ToolRow[]> {
  const versions = tools.map((tool) => Prisma.sql`(${versionOf(tool)} WHERE id = ${tool.id})`);
  return step.$queryRaw<ToolRow[]>`
      WITH stale AS (${staleNames(tools)}
      ), t AS (
        INSERT INTO tools (id, tenant_id, agent_id, name, alias, title, annotations, mcp, description, category, status, requires_approval, approval, idempotent, apply_defaults, created_by,
          metadata, required_api_keys, required_config_services, retry, dispatch, retention, approved, version,
          created_at, updated_at)
        SELECT * FROM (VALUES ${Prisma.join(tools.map(valuesOf))}) AS made WHERE NOT EXISTS (SELECT FROM stale)
        RETURNING *
      ), v AS (
        INSERT INTO tool_versions (${VERSION_FIELDS}) ${Prisma.join(versions, " UNION ALL ")} RETURNING *
      ), reviewed AS (${insertReviews(tools)}
      )
      SELECT ${COLUMNS} FROM t JOIN v ON v.tool_id = t.id`;
}

function createdOf(tools: readonly NewTool[], rows: readonly ToolRow[]): Tool[] {
  if (rows.length === 0) throw new Fault("tool.changed", { detail: OTHER_RECORD });
  const made = new Map(rows.map((row) => [row.id, toTool(row)]));
  return tools.map(({ id }) => theOne([made.get(id)]));
}

const OTHER_RECORD = "A tool of that name was deleted or renamed meanwhile; repeat.";

const valuesOf = (tool: NewTool): Prisma.Sql => Prisma.sql`
  (${tool.id}::text, ${tool.tenantId}::text, ${tool.agentId}::text, ${tool.name}::text,
  ${tool.alias}::text, ${tool.title}::text, ${jsonOrNull(tool.annotations)}::json, ${jsonOrNull(tool.mcp ?? null)}::jsonb, ${tool.description}::text,
  ${tool.category}::text, ${tool.status}::text,
  ${tool.requiresApproval}::boolean, ${tool.approval}::text, ${tool.idempotent}::boolean, ${tool.applyDefaults}::boolean, ${tool.createdBy}::text,
  ${jsonOrNull(tool.metadata)}::json, ${JSON.stringify(tool.requiredApiKeys)}::json,
  ${JSON.stringify(tool.requiredConfigServices)}::json,
  ${jsonOrNull(tool.retry)}::json, ${jsonOrNull(tool.dispatch)}::json, ${jsonOrNull(tool.retention)}::json, ${jsonOrNull(tool.approved)}::json, 1, ${tool.createdAt}::timestamptz,
  ${tool.createdAt}::timestamptz)`;

function theOne<T>([row]: readonly (T | undefined)[]): T {
  if (row === undefined) throw new Error("an INSERT returned no row");
  return row;
}
