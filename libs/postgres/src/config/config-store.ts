import type { ConfigStore, EntryOutline, ServiceOutline, StoredService } from "@bulkhead/core";
import { Prisma, type PrismaClient } from "../generated/client.ts";
import { faulting } from "../sql-trouble.ts";
import { findHeirs, inheritService } from "./left-services.ts";
import { SERVICE_COLUMNS, toOutline, toStored, type EntryRow, type ServiceRow } from "./service-row.ts";
import { registerServices, releaseServices, toolsThatNeed } from "./tool-needs.ts";
import { dropEntry, putEntry } from "./write-entries.ts";
import { changeService, createService, deleteService } from "./write-services.ts";

const COLUMNS = Prisma.raw(SERVICE_COLUMNS);

/** Services and their entries in PostgreSQL; secrets only as they were sealed. What it throws is a Fault. */
export const openConfigStore = (client: PrismaClient): ConfigStore => ({
  create: (service, servicesMax) => faulting(() => createService(client, service, servicesMax)),
  find: (tenantId, names) => faulting(() => findServices(client, tenantId, names)),
  outlines: (tenantId, names) =>
    faulting(() => outlined(client, tenantId, Prisma.sql`s.name = ANY(${[...names]}::text[])`)),
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
  toolsThatNeed: (tenantId, name, limit) => faulting(() => toolsThatNeed(client, tenantId, name, limit)),
});

/** In one statement, so that the entries are those of the revision. */
async function findServices(
  client: PrismaClient,
  tenantId: string,
  names: readonly string[],
): Promise<StoredService[]> {
  const rows = await client.$queryRaw<(ServiceRow & { entry: EntryJson | null })[]>`
    SELECT ${COLUMNS}, row_to_json(e) AS entry
    FROM config_services AS s
    LEFT JOIN config_entries AS e ON e.tenant_id = s.tenant_id AND e.service = s.name
    WHERE s.tenant_id = ${tenantId} AND s.name = ANY(${[...names]}::text[])
    ORDER BY s.name, e.created_at, e.label`;
  const entries = rows.flatMap(({ entry }) => (entry ? [toEntryRow(entry)] : []));
  return firstOfEach(rows).map((row) => toStored(row, entries));
}

type EntryJson = Omit<EntryRow, "created_at" | "updated_at"> & Record<"created_at" | "updated_at", string>;

const toEntryRow = ({ created_at, updated_at, ...entry }: EntryJson): EntryRow => ({
  ...entry,
  created_at: new Date(created_at),
  updated_at: new Date(updated_at),
});

const firstOfEach = <T extends { name: string }>(rows: T[]): T[] =>
  rows.filter(({ name }, at) => rows[at - 1]?.name !== name);

async function outlined(
  client: PrismaClient,
  tenantId: string,
  which: Prisma.Sql,
): Promise<ServiceOutline[]> {
  const rows = await client.$queryRaw<(ServiceRow & { outlines: (EntryOutline & { service: string })[] })[]>`
    SELECT ${COLUMNS}, (
      SELECT coalesce(json_agg(json_build_object('service', e.service, 'label', e.label, 'filled', (
        SELECT coalesce(json_agg(f.name), '[]') FROM (
          SELECT json_object_keys(e.values) AS name UNION ALL SELECT json_object_keys(e.secrets)) AS f))
        ORDER BY e.created_at, e.label), '[]')
      FROM config_entries AS e WHERE e.tenant_id = s.tenant_id AND e.service = s.name) AS outlines
    FROM config_services AS s WHERE s.tenant_id = ${tenantId} AND ${which}`;
  return rows.map((row) => toOutline(row, row.outlines));
}
