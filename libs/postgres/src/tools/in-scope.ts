import type { ToolScope } from "@bulkhead/core";
import { Prisma } from "../generated/client.ts";

/** Whether tool `t` is there in the scope by its id, also where one of its name hides it. */
export const isThere = ({ agentId, seesAll }: ToolScope): Prisma.Sql => Prisma.sql`
  (${seesAll}::boolean OR t.agent_id IS NULL OR t.agent_id = ${agentId}::text)`;

/** Whether tool `t` of the tenant is there in the scope: not where it is another agent's, or hidden by one of its name. */
export const isInScope = (tenantId: string, { agentId, seesAll }: ToolScope): Prisma.Sql => Prisma.sql`
  (${seesAll}::boolean OR t.agent_id = ${agentId}::text OR (t.agent_id IS NULL AND t.name NOT IN (
    SELECT own.name FROM tools AS own WHERE own.tenant_id = ${tenantId} AND own.agent_id = ${agentId}::text)))`;
