import type { Creator, LeftService, NewConfigService } from "@bulkhead/core";
import type { ConfigService, PrismaClient, Tool } from "../generated/client.ts";
import { jsonInput, readRequiredApiKeys } from "../stored-json.ts";
import { readRequiredServices } from "./config-json.ts";
import { WANTED } from "./tool-needs.ts";

type HeirRow = Pick<ConfigService, "name"> &
  Pick<Tool, "id" | "requiredApiKeys" | "requiredConfigServices"> & {
    registeredBy: string;
    createdBy: Creator;
    code: string;
  };

/** Of each the oldest tool that remains, where there is one a person's. In SQL, as `WANTED` is. */
export async function findHeirs(
  client: PrismaClient,
  tenantId: string,
  names: readonly string[],
): Promise<LeftService[]> {
  const rows = await client.$queryRaw<HeirRow[]>`
    SELECT DISTINCT ON (s.name) s.name, s.registered_by AS "registeredBy", t.id, t.created_by AS "createdBy",
      coalesce(v.compiled, v.code) AS code, t.required_api_keys AS "requiredApiKeys",
      t.required_config_services AS "requiredConfigServices"
    FROM ${WANTED} JOIN config_services AS s ON s.tenant_id = t.tenant_id AND s.name = ANY(v.services)
    WHERE s.tenant_id = ${tenantId} AND s.name = ANY(${[...names]}::text[]) AND NOT s.kept
      AND NOT EXISTS (SELECT FROM ${WANTED}
        WHERE t.tenant_id = s.tenant_id AND t.id = s.registered_by AND s.name = ANY(v.services))
    ORDER BY s.name, t.created_by = 'user' DESC, t.created_at, t.id, v.version DESC`;
  return rows.map(({ registeredBy, name, ...tool }) => ({
    registeredBy,
    needs: {
      ...tool,
      tenantId,
      services: [name],
      requiredApiKeys: readRequiredApiKeys(tool.requiredApiKeys),
      requiredConfigServices: readRequiredServices(tool.requiredConfigServices),
    },
  }));
}

export async function inheritService(
  client: PrismaClient,
  { kind, displayName, description, category, docsUrl, multiEntry, codeHosts, ...service }: NewConfigService,
  from: string,
): Promise<boolean> {
  const { count } = await client.configService.updateMany({
    where: { tenantId: service.tenantId, name: service.name, registeredBy: from, kept: false },
    data: {
      kind,
      displayName,
      description,
      category,
      docsUrl,
      multiEntry,
      codeHosts,
      configSchema: jsonInput(service.configSchema),
      registeredBy: service.registeredBy,
      revision: { increment: 1 },
      updatedAt: service.createdAt,
    },
  });
  return count === 1;
}
