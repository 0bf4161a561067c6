import type { ConfigStore, EntryOutline, ServiceOutline, StoredService } from "@bulkhead/core";
import { Prisma, type PrismaClient } from "../generated/client.ts";
import { faulting } from "../sql-trouble.ts";
import { findHeirs, inheritService } from "./left-services.ts";
import { SERVICE_COLUMNS, toOutline, toStored, type ServiceRow } from "./service-row.ts";
import { registerServices, releaseServices, toolsThatNeed, toolsThatNeedEach } from "./tool-needs.ts";
import { changeService, createService, deleteService, dropEntry, putEntry } from "./write-services.ts";

const COLUMNS = Prisma.raw(SERVICE_COLUMNS);

/** Services and their entries in PostgreSQL; secrets only as they were sealed. What it throws is a Fault. */
export const openConfigStore = (client: PrismaClient): ConfigStore => ({
  create: (service, servicesMax) => faulting(() => createService(client, service, servicesMax)),
  find: (tenantId, names) => faulting(() => findServices(client, tenantId, names)),
  outlines: (tenantId, names) =>
    faulting(() => outlined(client, tenantId, Prisma.sql`s.name = ANY(${[...names]}::text[])`)),
  outlinesOf: (tenantId, kinds) =>
    faulting(() =>
      outlined(client, tenantId, Prisma.sql`s.kind = ANY(${[...kinds]}::text[]) ORDER BY s.name`),
    ),
  page: (tenantId, { after = "", limit }) =>
    faulting(() =>
      outlined(client, tenantId, Prisma.sql`s.name > ${after} ORDER BY s.name LIMIT ${limit}::int`),
    ),
  change: (state, terms, at) => faulting(() => changeService(client, state, terms, at)),
  putEntry: (state, entry, place) => faulting(() => putEntry(client, state, entry, place)),
  dropEntry: (state, label, defaultLabel, at) =>
    faulting(() => dropEntry(client, state, label, defaultLabel, at)),
  delete: (state) => faulting(() => deleteService(client, state)),
  register: (services, servicesMax) => faulting(() => registerServices(client, services, servicesMax)),
  release: (tenantId, names) => faulting(() => releaseServices(client, tenantId, names)),
  heirs: (tenantId, names) => faulting(() => findHeirs(client, tenantId, names)),
  inherit: (service, registeredBy) => faulting(() => inheritService(client, service, registeredBy)),
  toolsThatNeedEach: (tenantId, names, shown) =>
    faulting(() => toolsThatNeedEach(client, tenantId, names, shown)),
  toolsThatNeed: (tenantId, name, limit) => faulting(() => toolsThatNeed(client, tenantId, name, limit)),
});

/** In one statement, so that the entries are those of the revision. */
async function findServices(
  client: PrismaClient,
  tenantId: string,
  names: readonly string[],
): Promise<StoredService[]> {
  type Row = Parameters<typeof toStored>[0];
  const rows = await client.$queryRaw<Row[]>`
    SELECT ${COLUMNS}, s.revision, (
      SELECT coalesce(json_agg(json_build_object('label', e.label, 'values', e.values, 'secrets', e.secrets,
        'createdAt', e.created_at, 'updatedAt', e.updated_at) ORDER BY e.created_at, e.label), '[]')
      FROM config_entries AS e WHERE e.tenant_id = s.tenant_id AND e.service = s.name) AS entries
    FROM config_services AS s
    WHERE s.tenant_id = ${tenantId} AND s.name = ANY(${[...names]}::text[]) ORDER BY s.name`;
  return rows.map(toStored);
}

/** In SQL, so that names of fields are read without their values. */
async function outlined(
  client: PrismaClient,
  tenantId: string,
  which: Prisma.Sql,
): Promise<ServiceOutline[]> {
  const rows = await client.$queryRaw<(ServiceRow & { entries: EntryOutline[] })[]>`
    SELECT ${COLUMNS}, (
      SELECT coalesce(json_agg(json_build_object('label', e.label, 'filled', (
        SELECT coalesce(json_agg(f.name), '[]') FROM (
          SELECT json_object_keys(e.values) AS name UNION ALL SELECT json_object_keys(e.secrets)) AS f))
        ORDER BY e.created_at, e.label), '[]')
      FROM config_entries AS e WHERE e.tenant_id = s.tenant_id AND e.service = s.name) AS entries
    FROM config_services AS s WHERE s.tenant_id = ${tenantId} AND ${which}`;
  return rows.map(toOutline);
}
