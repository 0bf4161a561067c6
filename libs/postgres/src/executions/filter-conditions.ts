import { executionIdFloor, type ExecutionFilter } from "@bulkhead/core";
import { Prisma } from "../generated/client.ts";

type Filter = Required<ExecutionFilter>;

const ms = (count: number): Prisma.Sql => Prisma.sql`${count}::float8 * interval '1 ms'`;

/** What each part of a filter asks of an execution `e`; in the words of the indexes where there is one. */
const CONDITIONS: { [Part in keyof Filter]: (value: Filter[Part]) => Prisma.Sql } = {
  statuses: (statuses) =>
    statuses.length === 1
      ? Prisma.sql`e.status = ${statuses[0]}`
      : Prisma.sql`e.status = ANY(${[...statuses]}::text[])`,
  toolId: (id) => Prisma.sql`e.tool_id = ${id}`,
  toolName: (name) => Prisma.sql`e.tool_name = ${name}`,
  toolVersion: (version) => Prisma.sql`e.tool_version = ${version}::int`,
  agentId: (id) => Prisma.sql`e.context->>'agentId' = ${id}`,
  requestedBy: (keyId) => Prisma.sql`e.requested_by = ${keyId}`,
  source: (source) => Prisma.sql`e.source = ${source}`,
  errorCode: (code) => Prisma.sql`e.error IS NOT NULL AND execution_error_code(e.error) = ${code}`,
  conversationId: (id) => Prisma.sql`e.context->>'conversationId' = ${id}`,
  parentId: (id) => Prisma.sql`e.parent_id = ${id}`,
  scheduleId: (id) => Prisma.sql`e.schedule_id = ${id}`,
  // The ids are ordered by time: a range of them reads the right partitions alone.
  from: (at) => Prisma.sql`e.id >= ${executionIdFloor(at)}`,
  to: (at) => Prisma.sql`e.id < ${executionIdFloor(at)}`,
  // Where clocks differ an end may come before its beginning, which counts as none of the time.
  minMs: (min) =>
    min === 0
      ? Prisma.sql`e.finished_at IS NOT NULL`
      : Prisma.sql`e.finished_at - e.created_at >= ${ms(min)}`,
  maxMs: (max) => Prisma.sql`e.finished_at - e.created_at <= ${ms(max)}`,
};

/** The conditions of the filter, but for the parts that are left out. */
export function conditionsOf(
  filter: ExecutionFilter,
  leftOut: readonly (keyof ExecutionFilter)[] = [],
): Prisma.Sql[] {
  const parts = Object.keys(CONDITIONS) as (keyof Filter)[];
  return parts.flatMap((part) => {
    const value = filter[part];
    // One of the two for each part, which the type of an index can't say.
    const condition = CONDITIONS[part] as (value: unknown) => Prisma.Sql;
    return value === undefined || leftOut.includes(part) ? [] : [condition(value)];
  });
}

export const allOf = (conditions: readonly Prisma.Sql[]): Prisma.Sql => Prisma.join([...conditions], " AND ");
