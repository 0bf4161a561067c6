import {
  SCHEDULE_TOOL_DELETED,
  type DeletedTool,
  type FoundRecord,
  type Json,
  type NameRecord,
  type NewTool,
} from "@bulkhead/core";
import { Prisma, type PrismaClient } from "../generated/client.ts";
import { readObject } from "../stored-json.ts";
import { readCapabilities } from "./review-json.ts";

type Named = Pick<NewTool, "tenantId" | "agentId" | "name" | "alias" | "judgedBy" | "aliasJudgedBy">;

/**
 * In SQL: locks the names in one order, so that two who take several can't wait for each other in a circle. A tenant's names
 * share 256 locks: all transactions together have some thousands of those, and one may take thousands of names.
 */
export const lockEach = (names: Prisma.Sql): Prisma.Sql => Prisma.sql`
  SELECT pg_advisory_xact_lock(lock) FROM (
    SELECT DISTINCT hashtextextended(
      concat_ws('/', 'tool_name', tenant_id, hashtext(concat_ws('/', name, agent_id)) & 255), 0) AS lock
    FROM (${names}) AS names ORDER BY 1) AS locks`;

/** A name or an alias of a tool's, and the stamp of its record that the tool was judged by; unset: nothing judged it. */
type Taken = Pick<NewTool, "tenantId" | "agentId" | "name" | "judgedBy">;

const takenBy = (tools: readonly Named[]): Taken[] =>
  tools.flatMap(({ tenantId, agentId, name, alias, judgedBy, aliasJudgedBy }) => {
    const taken: Taken[] = [{ tenantId, agentId, name, ...(judgedBy === undefined ? {} : { judgedBy }) }];
    if (alias === null) return taken;
    const judged = aliasJudgedBy === undefined ? {} : { judgedBy: aliasJudgedBy };
    return [...taken, { tenantId, agentId, name: alias, ...judged }];
  });

const asRows = (taken: readonly Taken[]): Prisma.Sql =>
  Prisma.join(
    taken.map(({ tenantId, agentId, name, judgedBy }) => {
      const values = Prisma.sql`${tenantId}::text AS tenant_id, ${agentId ?? ""}::text AS agent_id, ${name}::text AS name`;
      return Prisma.sql`SELECT ${values}, ${judgedBy ?? null}::text AS stamp`;
    }),
    " UNION ALL ",
  );

/** To the end of the transaction nobody else takes or gives up the names and aliases. */
export function lockNames(client: Pick<PrismaClient, "$executeRaw">, tools: readonly Named[]) {
  const taken = takenBy(tools);
  const [tenants, agents] = [
    taken.map(({ tenantId }) => tenantId),
    taken.map(({ agentId }) => agentId ?? ""),
  ];
  const names = taken.map(({ name }) => name);
  return client.$executeRaw(
    lockEach(Prisma.sql`SELECT * FROM unnest(${tenants}::text[], ${agents}::text[], ${names}::text[])
      AS taken(tenant_id, agent_id, name)`),
  );
}

/**
 * Runs a statement that gives up a name or an alias of the tool's, or takes these, after the lock on all of them. Where the
 * statement is for one revision, those are the ones which the tool then has.
 */
export async function exchangingNames<T>(
  client: PrismaClient,
  toolId: string,
  taken: readonly string[],
  statement: () => Prisma.PrismaPromise<T>,
): Promise<T> {
  const names = Prisma.sql`SELECT tenant_id, coalesce(agent_id, '') AS agent_id, names.name
    FROM tools, unnest(ARRAY[tools.name, tools.alias] || ${[...taken]}::text[]) AS names(name)
    WHERE id = ${toolId} AND names.name IS NOT NULL`;
  const [, done] = await client.$transaction([client.$executeRaw(lockEach(names)), statement()]);
  return done;
}

/** Another for every record of other content. */
const STAMP = "md5(r.capabilities::text)";

/** Those of the tools that were judged by a record which is not their name's. */
export function staleNames(tools: readonly Named[]): Prisma.Sql {
  const judged = takenBy(tools).filter(({ judgedBy }) => judgedBy !== undefined);
  if (judged.length === 0) return Prisma.sql`SELECT WHERE false`;
  return Prisma.sql`SELECT FROM (${asRows(judged)}) AS judged
    LEFT JOIN approved_capabilities AS r USING (tenant_id, name, agent_id) WHERE ${Prisma.raw(STAMP)} IS DISTINCT FROM judged.stamp`;
}

/** Puts down what the names stood for that `t` gives up; nothing without a record. */
export const recordNames = (record: NameRecord | undefined): Prisma.Sql =>
  record === undefined
    ? Prisma.sql`SELECT WHERE false`
    : Prisma.sql`INSERT INTO approved_capabilities (tenant_id, agent_id, name, capabilities)
      SELECT t.tenant_id, coalesce(t.agent_id, ''), names.name, ${recordJson(record)}::json
      FROM t, unnest(${record.names}::text[]) AS names(name)
      ON CONFLICT (tenant_id, name, agent_id)
      DO UPDATE SET capabilities = excluded.capabilities, recorded_at = excluded.recorded_at`;

export const recordJson = ({ capabilities, blocked }: Omit<NameRecord, "names">): string =>
  JSON.stringify({ ...capabilities, ...(blocked ? { blocked } : {}) });

/** Pauses the active schedules of the deleted tools `t`. */
export const PAUSE_SCHEDULES = Prisma.sql`
  UPDATE schedules AS s SET status = 'paused', status_reason = ${SCHEDULE_TOOL_DELETED}, next_runs = '{}',
    waiting_since = NULL, tool_name = t.name, revision = s.revision + 1, updated_at = now()
  FROM t WHERE s.tool_id = t.id AND s.tenant_id = t.tenant_id`;

/** Null when it is gone, or not at `revision` any more where one is given. In SQL, for one step with its schedules' pause. */
export async function deleteTool(
  client: PrismaClient,
  tenantId: string,
  toolId: string,
  revision: number | undefined,
  record: NameRecord | null | undefined,
): Promise<DeletedTool | null> {
  const write = () => deleteOne(client, tenantId, toolId, revision, record);
  const [row] = await exchangingNames(client, toolId, [], write);
  return row ?? null;
}

/** The lock on the names that it gives up is its caller's to take. */
export const deleteOne = (
  step: Pick<PrismaClient, "$queryRaw">,
  tenantId: string,
  toolId: string,
  revision: number | undefined,
  record: NameRecord | null | undefined,
): Prisma.PrismaPromise<DeletedTool[]> =>
  step.$queryRaw<DeletedTool[]>`
    WITH t AS (
      DELETE FROM tools WHERE id = ${toolId} AND tenant_id = ${tenantId}
        AND revision = coalesce(${revision ?? null}::int, revision)
      RETURNING *
    ), recorded AS (${recordNames(record ?? undefined)}
    ), paused AS (${PAUSE_SCHEDULES}
    )
    -- As they were when the statement began.
    SELECT (SELECT count(*) FROM schedules AS s
      WHERE s.tool_id = t.id AND s.tenant_id = t.tenant_id AND s.status = 'active')::int AS "schedulesPaused" FROM t`;

// In SQL, for the stamp.
const FIND_RECORD = `/* tools.find_name_record */
SELECT r.capabilities, ${STAMP} AS stamp
FROM approved_capabilities AS r WHERE r.tenant_id = $1 AND r.name = $2 AND r.agent_id = $3`;

/** Null where no tool has given up the name or alias. */
export async function findNameRecord(
  client: PrismaClient,
  tenantId: string,
  agentId: string | null,
  name: string,
): Promise<FoundRecord | null> {
  const rows = await client.$queryRawUnsafe<{ capabilities: Json; stamp: string }[]>(
    FIND_RECORD,
    tenantId,
    name,
    agentId ?? "",
  );
  const [row] = rows;
  if (!row) return null;
  const blocked = readObject(row.capabilities)["blocked"] === true;
  return { capabilities: readCapabilities(row.capabilities), blocked, stamp: row.stamp };
}
