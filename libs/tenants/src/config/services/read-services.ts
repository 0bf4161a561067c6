import type {
  ConfigStore,
  NeedingTools,
  ServiceOutline,
  StoredService,
  TenantPrincipal,
} from "@bulkhead/core";
import { getService } from "./service-state.ts";

/** How many tools are named that need a service: of one that is read, and of each in a list. */
const TOOLS_SHOWN_MAX = 100;
const TOOLS_LISTED_MAX = 5;

export interface ListedService {
  service: ServiceOutline;
  tools: NeedingTools;
}

/** In the order of names, from after `after`; without a value, and with the first tools that need each. */
export async function listServices(
  { configServices }: { configServices: Pick<ConfigStore, "page" | "toolsThatNeedEach"> },
  { tenantId }: TenantPrincipal,
  page: { after?: string; limit: number },
): Promise<ListedService[]> {
  const services = await configServices.page(tenantId, page);
  const names = services.map(({ name }) => name);
  const tools = await configServices.toolsThatNeedEach(tenantId, names, TOOLS_LISTED_MAX);
  return services.map((service) => ({
    service,
    tools: tools.get(service.name) ?? { count: 0, names: [] },
  }));
}

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
