import {
  type NewConfigService,
  type ServiceState,
  type ServiceTerms,
  type StoredEntry,
  type StoredService,
  Fault,
} from "@bulkhead/core";
import type { Prisma, PrismaClient } from "../generated/client.ts";
import { violatedIndexOf } from "../sql-trouble.ts";
import { jsonInput } from "../stored-json.ts";

/** Null where the tenant has `servicesMax` of them; those who make one at the same moment may pass it by their number. */
export async function createService(
  client: PrismaClient,
  { allowedHosts, configSchema, ...service }: NewConfigService,
  servicesMax: number,
): Promise<StoredService | null> {
  const { tenantId, name, createdAt: updatedAt } = service;
  if ((await client.configService.count({ where: { tenantId } })) >= servicesMax) return null;
  // Left out, the hosts are NULL: any.
  const hosts = allowedHosts && { allowedHosts };
  const data = { ...service, ...hosts, configSchema: jsonInput(configSchema), updatedAt };
  try {
    const { revision } = await client.configService.create({ data, select: { revision: true } });
    return { ...service, allowedHosts, configSchema, defaultLabel: null, updatedAt, revision, entries: [] };
  } catch (cause) {
    if (violatedIndexOf(cause) !== "config_services_pkey") throw cause;
    throw new Fault("config_service.name_taken", {
      detail: `There is a service ${name} already; PATCH changes it.`,
      cause,
    });
  }
}

/** In SQL, since the client can't set the hosts to NULL, which is any. */
export async function changeService(
  client: PrismaClient,
  { tenantId, name, revision }: ServiceState,
  terms: ServiceTerms,
  at: Date,
): Promise<boolean> {
  const changed = await client.$executeRaw`
    UPDATE config_services SET kind = ${terms.kind}, display_name = ${terms.displayName}::text, description = ${terms.description}::text,
      category = ${terms.category}::text, docs_url = ${terms.docsUrl}::text, multi_entry = ${terms.multiEntry}::boolean,
      config_schema = ${JSON.stringify(terms.configSchema)}::json, allowed_hosts = ${terms.allowedHosts}::text[],
      delivery = ${terms.delivery}, exchange_in_body = ${terms.exchangeInBody}::boolean,
      kept = true, revision = revision + 1, updated_at = ${at}::timestamptz
    WHERE tenant_id = ${tenantId} AND name = ${name} AND revision = ${revision}::int`;
  return changed === 1;
}

export async function deleteService(
  client: PrismaClient,
  { tenantId, name, revision }: ServiceState,
): Promise<boolean> {
  return (await client.configService.deleteMany({ where: { tenantId, name, revision } })).count === 1;
}

// An entry is written in one transaction with the rise of its service's revision: it belongs to that state alone.

/** Holds the service's row to the end of the transaction; false where it is in another state. */
async function raise(
  transaction: Prisma.TransactionClient,
  { tenantId, name, revision }: ServiceState,
  defaultLabel: string | null,
  updatedAt: Date,
): Promise<boolean> {
  const { count } = await transaction.configService.updateMany({
    where: { tenantId, name, revision },
    data: { defaultLabel, kept: true, revision: { increment: 1 }, updatedAt },
  });
  return count === 1;
}

export const putEntry = (
  client: PrismaClient,
  state: ServiceState,
  entry: StoredEntry,
  { was, defaultLabel }: { was: string | null; defaultLabel: string },
): Promise<boolean> =>
  client.$transaction(async (transaction) => {
    if (!(await raise(transaction, state, defaultLabel, entry.updatedAt))) return false;
    const { label, createdAt, updatedAt } = entry;
    const of = { tenantId: state.tenantId, service: state.name };
    const data = { label, values: jsonInput(entry.values), secrets: jsonInput(entry.secrets), updatedAt };
    const { count } =
      was === null
        ? await transaction.configEntry.createMany({ data: { ...of, ...data, createdAt } })
        : await transaction.configEntry.updateMany({ where: { ...of, label: was }, data });
    return count === 1;
  });

export const dropEntry = (
  client: PrismaClient,
  state: ServiceState,
  label: string,
  defaultLabel: string | null,
  at: Date,
): Promise<boolean> =>
  client.$transaction(async (transaction) => {
    if (!(await raise(transaction, state, defaultLabel, at))) return false;
    const where = { tenantId: state.tenantId, service: state.name, label };
    return (await transaction.configEntry.deleteMany({ where })).count === 1;
  });
