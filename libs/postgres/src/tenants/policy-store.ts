import type { Policy, PolicyDocument, PolicyStore } from "@bulkhead/core";
import type { PrismaClient } from "../generated/client.ts";
import { readMcpAccess } from "../mcp/mcp-json.ts";
import { faulting } from "../sql-trouble.ts";
import { readObject, type Json } from "../stored-json.ts";

/** Tenants' documents and grants in PostgreSQL, the document beside the tenant's row. What it throws is a Fault. */
export const openPolicyStore = (client: PrismaClient): PolicyStore => ({
  find: (tenantId) => faulting(() => findPolicy(client, tenantId)),
  put: (tenantId, document, seen) => faulting(() => putPolicy(client, tenantId, document, seen)),
});

/** In SQL, for one moment: a document is never read beside grants of another time. */
async function findPolicy(client: PrismaClient, tenantId: string): Promise<Policy | null> {
  const [row] = await client.$queryRaw<
    { policy: Json; version: number; mcpVersion: number; mcp: Json }[]
  >`/* policies.find */
    SELECT n.policy, n.policy_version AS version, n.mcp_version AS "mcpVersion", (
      SELECT json_object_agg(s.name, json_build_object('agentIds', s.agent_ids, 'grants', coalesce(g.grants, '[]')))
      FROM mcp_servers AS s LEFT JOIN LATERAL (
        SELECT json_agg(json_build_object('scope', g.scope, 'id', g.id, 'toolAllow', g.tool_allow,
          'toolDeny', g.tool_deny, 'enabled', g.enabled)) AS grants
        FROM mcp_grants AS g WHERE g.tenant_id = s.tenant_id AND g.server = s.name
      ) AS g ON true
      WHERE s.tenant_id = n.id AND (s.agent_ids IS NOT NULL OR g.grants IS NOT NULL)
    ) AS mcp
    FROM tenants AS n WHERE n.id = ${tenantId}`;
  if (!row) return null;
  const { version, mcpVersion } = row;
  return { version, document: readPolicy(row.policy), mcpVersion, mcp: readMcpAccess(row.mcp) };
}

/** In SQL, for what was there before in one step: of two changes at once each tells what it has changed. */
async function putPolicy(
  client: PrismaClient,
  tenantId: string,
  document: PolicyDocument,
  seen: readonly number[] | null,
): ReturnType<PolicyStore["put"]> {
  const [row] = await client.$queryRaw<{ before: Json; version: number }[]>`/* policies.put */
    WITH old AS (
      SELECT id, policy, policy_version FROM tenants WHERE id = ${tenantId} AND deleting_at IS NULL FOR UPDATE
    )
    UPDATE tenants AS n SET policy = ${JSON.stringify(document)}::jsonb, policy_version = old.policy_version + 1
    FROM old WHERE n.id = old.id AND (${seen === null}::boolean OR old.policy_version = ANY(${[...(seen ?? [])]}::int[]))
    RETURNING old.policy AS before, n.policy_version AS version`;
  return row ? { before: readPolicy(row.before), version: row.version } : null;
}

/** It was checked when it was put, by this build or another one. */
const readPolicy = (json: Json): PolicyDocument => readObject(json);
