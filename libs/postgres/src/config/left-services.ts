import type { Creator, Json, LeftService, NewConfigService } from "@bulkhead/core";
import type { PrismaClient } from "../generated/client.ts";
import { readRequiredApiKeys } from "../stored-json.ts";
import { readRequiredServices } from "./config-json.ts";
import { WANTED } from "./tool-needs.ts";

interface HeirRow {
  name: string;
  registered_by: string;
  id: string;
  created_by: Creator;
  code: string;
  required_api_keys: Json;
  required_config_services: Json;
}

/** Of each the oldest tool that remains, where there is one a person's. */
export async function findHeirs(
  client: PrismaClient,
  tenantId: string,
  names: readonly string[],
): Promise<LeftService[]> {
  const rows = await client.$queryRaw<HeirRow[]>`
    SELECT DISTINCT ON (s.name) s.name, s.registered_by, t.id, t.created_by, coalesce(v.compiled, v.code) AS code,
      t.required_api_keys, t.required_config_services
    FROM ${WANTED} JOIN config_services AS s ON s.tenant_id = t.tenant_id AND s.name = ANY(v.services)
    WHERE s.tenant_id = ${tenantId} AND s.name = ANY(${[...names]}::text[]) AND NOT s.kept
      AND NOT EXISTS (SELECT FROM ${WANTED}
        WHERE t.tenant_id = s.tenant_id AND t.id = s.registered_by AND s.name = ANY(v.services))
    ORDER BY s.name, t.created_by = 'user' DESC, t.created_at, t.id, v.version DESC`;
  return rows.map((row) => ({
    registeredBy: row.registered_by,
    needs: {
      id: row.id,
      tenantId,
      services: [row.name],
      createdBy: row.created_by,
      code: row.code,
      requiredApiKeys: readRequiredApiKeys(row.required_api_keys),
      requiredConfigServices: readRequiredServices(row.required_config_services),
    },
  }));
}

export async function inheritService(
  client: PrismaClient,
  service: NewConfigService,
  registeredBy: string,
): Promise<boolean> {
  const changed = await client.$executeRaw`
    UPDATE config_services SET display_name = ${service.displayName}::text, description = ${service.description}::text,
      category = ${service.category}::text, docs_url = ${service.docsUrl}::text, multi_entry = ${service.multiEntry}::boolean,
      config_schema = ${JSON.stringify(service.configSchema)}::json, code_hosts = ${service.codeHosts}::text[],
      registered_by = ${service.registeredBy}::text, revision = revision + 1, updated_at = ${service.createdAt}::timestamptz
    WHERE tenant_id = ${service.tenantId} AND name = ${service.name} AND registered_by = ${registeredBy} AND NOT kept`;
  return changed === 1;
}
