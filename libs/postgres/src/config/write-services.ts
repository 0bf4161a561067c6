import {
  type NewConfigService,
  type ServiceState,
  type ServiceTerms,
  type StoredService,
  Fault,
} from "@bulkhead/core";
import { Prisma, type PrismaClient } from "../generated/client.ts";
import { violatedIndexOf } from "../sql-trouble.ts";
import { SERVICE_COLUMNS, toStored, type ServiceRow } from "./service-row.ts";

/** The columns that `valuesOf` fills. */
export const NEW_COLUMNS =
  Prisma.raw(`tenant_id, name, display_name, description, category, docs_url, multi_entry,
  config_schema, allowed_hosts, code_hosts, delivery, exchange_in_body, registered_by, kept, created_at, updated_at`);

export const valuesOf = (service: NewConfigService): Prisma.Sql => Prisma.sql`
  ${service.tenantId}, ${service.name}, ${service.displayName}::text, ${service.description}::text,
  ${service.category}::text, ${service.docsUrl}::text, ${service.multiEntry}::boolean,
  ${JSON.stringify(service.configSchema)}::json, ${service.allowedHosts}::text[], ${service.codeHosts}::text[],
  ${service.delivery}, ${service.exchangeInBody}::boolean, ${service.registeredBy}::text, ${service.kept}::boolean,
  ${service.createdAt}::timestamptz, ${service.createdAt}::timestamptz`;

export const isRoom = (tenantId: string, servicesMax: number): Prisma.Sql =>
  Prisma.sql`(SELECT count(*) FROM config_services WHERE tenant_id = ${tenantId}) < ${servicesMax}::int`;

/** Null where the tenant has `servicesMax` of them; those who make one at the same moment may pass it by their number. */
export async function createService(
  client: PrismaClient,
  service: NewConfigService,
  servicesMax: number,
): Promise<StoredService | null> {
  try {
    const [row] = await client.$queryRaw<ServiceRow[]>`
      WITH s AS (
        INSERT INTO config_services (${NEW_COLUMNS})
        SELECT ${valuesOf(service)} WHERE ${isRoom(service.tenantId, servicesMax)} RETURNING *
      )
      SELECT ${Prisma.raw(SERVICE_COLUMNS)} FROM s`;
    return row ? toStored(row, []) : null;
  } catch (cause) {
    if (violatedIndexOf(cause) !== "config_services_pkey") throw cause;
    throw new Fault("config_service.name_taken", {
      detail: `There is a service ${service.name} already; PATCH changes it.`,
      cause,
    });
  }
}

/** The one row that is in this state. */
export const inState = ({ tenantId, name, revision }: ServiceState): Prisma.Sql =>
  Prisma.sql`tenant_id = ${tenantId} AND name = ${name} AND revision = ${revision}::int`;

export async function changeService(
  client: PrismaClient,
  state: ServiceState,
  terms: ServiceTerms,
  at: Date,
): Promise<boolean> {
  const changed = await client.$executeRaw`
    UPDATE config_services SET display_name = ${terms.displayName}::text, description = ${terms.description}::text,
      category = ${terms.category}::text, docs_url = ${terms.docsUrl}::text, multi_entry = ${terms.multiEntry}::boolean,
      config_schema = ${JSON.stringify(terms.configSchema)}::json, allowed_hosts = ${terms.allowedHosts}::text[],
      delivery = ${terms.delivery}, exchange_in_body = ${terms.exchangeInBody}::boolean,
      kept = true, revision = revision + 1, updated_at = ${at}::timestamptz
    WHERE ${inState(state)}`;
  return changed === 1;
}

export async function deleteService(client: PrismaClient, state: ServiceState): Promise<boolean> {
  return (await client.$executeRaw`DELETE FROM config_services WHERE ${inState(state)}`) === 1;
}
