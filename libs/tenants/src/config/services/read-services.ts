import type { ConfigStore, ServiceOutline, StoredService, TenantPrincipal } from "@bulkhead/core";
import { getService } from "./service-state.ts";

/** How many tools are named that need a service. */
const TOOLS_SHOWN_MAX = 100;

/** In the order of names, from after `after`; without a value. */
export const listServices = (
  { configServices }: { configServices: Pick<ConfigStore, "page"> },
  { tenantId }: TenantPrincipal,
  page: { after?: string; limit: number },
): Promise<ServiceOutline[]> => configServices.page(tenantId, page);

/** The service and the names of the tools that need it, up to `TOOLS_SHOWN_MAX`. Throws `config_service.not_found`. */
export async function readService(
  deps: { configServices: Pick<ConfigStore, "find" | "toolsThatNeed"> },
  principal: TenantPrincipal,
  name: string,
): Promise<{ service: StoredService; tools: string[] }> {
  const service = await getService(deps, principal, name);
  return {
    service,
    tools: await deps.configServices.toolsThatNeed(principal.tenantId, name, TOOLS_SHOWN_MAX),
  };
}
