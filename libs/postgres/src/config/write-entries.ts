import type { ServiceState, StoredEntry } from "@bulkhead/core";
import { Prisma, type PrismaClient } from "../generated/client.ts";
import { inState } from "./write-services.ts";

// An entry is written in the same statement as the rise of its service's revision: it belongs to that state alone.

const risen = (state: ServiceState, defaultLabel: string | null, at: Date): Prisma.Sql => Prisma.sql`
  UPDATE config_services SET default_label = ${defaultLabel}::text, kept = true, revision = revision + 1,
    updated_at = ${at}::timestamptz
  WHERE ${inState(state)} RETURNING tenant_id, name`;

export async function putEntry(
  client: PrismaClient,
  state: ServiceState,
  entry: StoredEntry,
  { was, defaultLabel }: { was: string | null; defaultLabel: string },
): Promise<boolean> {
  const values = JSON.stringify(entry.values);
  const secrets = JSON.stringify(entry.secrets);
  const at = entry.updatedAt;
  const written =
    was === null
      ? Prisma.sql`
        INSERT INTO config_entries (tenant_id, service, label, values, secrets, created_at, updated_at)
        SELECT tenant_id, name, ${entry.label}, ${values}::json, ${secrets}::json, ${entry.createdAt}::timestamptz,
          ${at}::timestamptz FROM s`
      : Prisma.sql`
        UPDATE config_entries AS e SET label = ${entry.label}, values = ${values}::json, secrets = ${secrets}::json,
          updated_at = ${at}::timestamptz
        FROM s WHERE e.tenant_id = s.tenant_id AND e.service = s.name AND e.label = ${was}`;
  return (await client.$executeRaw`WITH s AS (${risen(state, defaultLabel, at)}) ${written}`) === 1;
}

export async function dropEntry(
  client: PrismaClient,
  state: ServiceState,
  label: string,
  defaultLabel: string | null,
  at: Date,
): Promise<boolean> {
  const gone = await client.$executeRaw`
    WITH s AS (${risen(state, defaultLabel, at)})
    DELETE FROM config_entries AS e USING s
    WHERE e.tenant_id = s.tenant_id AND e.service = s.name AND e.label = ${label}`;
  return gone === 1;
}
