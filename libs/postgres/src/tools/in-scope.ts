import type { ToolScope } from "@bulkhead/core";
import { Prisma } from "../generated/client.ts";

/** Whether tool `t` is there in the scope by its id, also where an agent's own tool hides it. */
export const isThere = ({ agentId, seesAll }: ToolScope): Prisma.Sql => Prisma.sql`
  (${seesAll}::boolean OR t.agent_id IS NULL OR t.agent_id = ${agentId}::text)`;

/**
 * Whether tool `t` of the tenant is there in the scope: not where it is another agent's, where the agent's own has what `t` is
 * shown as for its name or its alias, or where it is none of those that are there.
 */
export const isInScope = (tenantId: string, { agentId, seesAll, only }: ToolScope): Prisma.Sql => Prisma.sql`
  ${only === undefined ? Prisma.empty : Prisma.sql`t.id = ANY(${[...only]}::text[]) AND`}
  (${seesAll}::boolean OR t.agent_id = ${agentId}::text OR (t.agent_id IS NULL AND coalesce(t.alias, t.name) NOT IN (
    SELECT taken.name FROM tools AS own, unnest(ARRAY[own.name, own.alias]) AS taken(name)
    WHERE own.tenant_id = ${tenantId} AND own.agent_id = ${agentId}::text AND taken.name IS NOT NULL)))`;
