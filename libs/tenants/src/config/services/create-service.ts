import {
  CONFIG_SERVICES_MAX,
  DEFAULT_CONFIG_SCHEMA,
  type NewConfigService,
  type ServiceTerms,
  type StoredService,
  type TenantPrincipal,
  Fault,
} from "@bulkhead/core";
import { checkAllowedHosts } from "@bulkhead/tools";
import type { ConfigDeps } from "../config-deps.ts";
import { fieldsOf, requireOwnTerms } from "./kind-terms.ts";

export type CreateServiceRequest = { name: string } & Partial<ServiceTerms>;

/**
 * Makes a service without entries. Throws `request.invalid` for hosts that are none and for terms
 * that its kind doesn't have, `config_service.name_taken` and
 * `config_service.too_many`.
 */
export async function createService(
  deps: Pick<ConfigDeps, "configServices" | "audit" | "clock">,
  principal: TenantPrincipal,
  { name, allowedHosts = null, ...request }: CreateServiceRequest,
): Promise<StoredService> {
  const { tenantId } = principal;
  const { kind = "api" } = request;
  requireOwnTerms(kind, { ...request, allowedHosts });
  const service: NewConfigService = {
    ...PLAIN_SERVICE,
    ...request,
    ...fieldsOf(kind, request.configSchema),
    tenantId,
    name,
    allowedHosts: checkAllowedHosts(allowedHosts),
    createdAt: deps.clock(),
  };
  const created = await deps.configServices.create(service, CONFIG_SERVICES_MAX);
  if (!created) {
    throw new Fault("config_service.too_many", {
      detail: `A tenant may have ${CONFIG_SERVICES_MAX} services; delete one that is not needed any more.`,
    });
  }
  const { delivery, exchangeInBody } = created;
  await deps.audit.record(principal, tenantId, {
    action: "config_service.created",
    id: name,
    name: created.displayName,
    details: { kind, delivery, exchangeInBody, allowedHosts: created.allowedHosts },
  });
  return created;
}

/** The defaults of a service that is only named. */
export const PLAIN_SERVICE = {
  kind: "api",
  displayName: null,
  description: null,
  category: null,
  docsUrl: null,
  multiEntry: false,
  configSchema: [...DEFAULT_CONFIG_SCHEMA],
  allowedHosts: null,
  codeHosts: [] as string[],
  delivery: "placeholder",
  exchangeInBody: false,
  registeredBy: null,
  kept: true,
} as const satisfies Partial<NewConfigService>;
