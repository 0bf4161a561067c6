import type { NeedingTools, NewConfigService } from "@bulkhead/core";
import { Prisma, type PrismaClient } from "../generated/client.ts";

/** The versions of a tool `t` that run, or will once a person allows it; none of a rejected one. A join that only SQL has. */
export const WANTED = Prisma.sql`
  tools AS t JOIN tool_versions AS v ON v.tool_id = t.id AND v.version IN (t.version, t.pending_version)
    AND t.status <> 'rejected'`;

const valuesOf = (service: NewConfigService): Prisma.Sql => Prisma.sql`
  ${service.tenantId}, ${service.name}, ${service.kind}, ${service.displayName}::text, ${service.description}::text,
  ${service.category}::text, ${service.docsUrl}::text, ${service.multiEntry}::boolean,
  ${JSON.stringify(service.configSchema)}::json, ${service.allowedHosts}::text[], ${service.codeHosts}::text[],
  ${service.delivery}, ${service.exchangeInBody}::boolean, ${service.registeredBy}::text, ${service.kept}::boolean,
  ${service.createdAt}::timestamptz, ${service.createdAt}::timestamptz`;

/**
 * A service that is there stays as it is but for the number of its declarations, so that a release which has not seen this one
 * does nothing. In SQL, since a release between a look and a change would leave the tool without its service.
 */
export async function registerServices(
  client: PrismaClient,
  services: readonly NewConfigService[],
  servicesMax: number,
): Promise<string[]> {
  const made: string[] = [];
  for (const service of services) {
    const { tenantId, name } = service;
    const [row] = await client.$queryRaw<{ made: boolean }[]>`
      INSERT INTO config_services AS s (tenant_id, name, kind, display_name, description, category, docs_url, multi_entry,
        config_schema, allowed_hosts, code_hosts, delivery, exchange_in_body, registered_by, kept, created_at, updated_at)
      SELECT ${valuesOf(service)}
      WHERE (SELECT count(*) FROM config_services WHERE tenant_id = ${tenantId}) < ${servicesMax}::int
        OR EXISTS (SELECT FROM config_services WHERE tenant_id = ${tenantId} AND name = ${name})
      ON CONFLICT (tenant_id, name) DO UPDATE SET declarations = s.declarations + 1
      RETURNING declarations = 1 AS made`;
    if (row?.made) made.push(name);
  }
  return made;
}

/**
 * First looks, then deletes what still is as it was seen: a tool is stored before its services are registered, so one that
 * the look has missed has raised the number of declarations since.
 */
export async function releaseServices(
  client: PrismaClient,
  tenantId: string,
  names: readonly string[],
): Promise<string[]> {
  const unneeded = await client.$queryRaw<{ name: string; declarations: number }[]>`
    SELECT s.name, s.declarations FROM config_services AS s
    WHERE s.tenant_id = ${tenantId} AND s.name = ANY(${[...names]}::text[]) AND NOT s.kept
      AND NOT EXISTS (SELECT FROM ${WANTED} WHERE t.tenant_id = s.tenant_id AND s.name = ANY(v.services))`;
  const gone = await client.$queryRaw<{ name: string }[]>`
    DELETE FROM config_services AS s
    USING unnest(${unneeded.map(({ name }) => name)}::text[], ${unneeded.map(({ declarations }) => declarations)}::int[])
      AS u (name, declarations)
    WHERE s.tenant_id = ${tenantId} AND s.name = u.name AND s.declarations = u.declarations AND NOT s.kept
    RETURNING s.name`;
  return gone.map(({ name }) => name);
}

export async function toolsThatNeed(
  client: PrismaClient,
  tenantId: string,
  name: string,
  limit: number,
): Promise<string[]> {
  const rows = await client.$queryRaw<{ name: string }[]>`
    SELECT DISTINCT t.name FROM ${WANTED}
    WHERE t.tenant_id = ${tenantId} AND ${name} = ANY(v.services) ORDER BY t.name LIMIT ${limit}::int`;
  return rows.map((row) => row.name);
}

export async function toolsThatNeedEach(
  client: PrismaClient,
  tenantId: string,
  names: readonly string[],
  shown: number,
): Promise<ReadonlyMap<string, NeedingTools>> {
  const rows = await client.$queryRaw<(NeedingTools & { service: string })[]>`
    SELECT n.service, count(DISTINCT t.name)::int AS count,
      (array_agg(DISTINCT t.name ORDER BY t.name))[1:${shown}::int] AS names
    FROM ${WANTED} CROSS JOIN LATERAL unnest(v.services) AS n(service)
    WHERE t.tenant_id = ${tenantId} AND v.services && ${[...names]}::text[] AND n.service = ANY(${[...names]}::text[])
    GROUP BY n.service`;
  return new Map(rows.map(({ service, ...tools }) => [service, tools]));
}
