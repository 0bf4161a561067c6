import { SystemLoad, TenantLoad } from "@bulkhead/contracts";
import { loadOf, type ExecutionLoads, type TenantStore } from "@bulkhead/core";
import { showLoad } from "@bulkhead/executions";
import { requireTenant } from "@bulkhead/tenants";
import { ok } from "../../edge/envelope.ts";
import { answers, type ApiScope } from "../../edge/route-schema.ts";

export interface LoadRouteDeps {
  loads: ExecutionLoads;
  tenants: Pick<TenantStore, "findAll">;
}

/** Tenants that the administrator is shown. */
const BUSIEST_MAX = 100;

/** How busy a tenant is, for itself, and which tenants are busy, for the administrator. */
export function loadRoutes(app: ApiScope, { loads, tenants }: LoadRouteDeps): void {
  app.get(
    "/load",
    {
      config: { action: "load.read", needsRedis: true },
      schema: {
        tags: ["usage"],
        summary: "How much of the tenant's waits and runs now, and how long a new execution would wait",
        response: answers({ 200: TenantLoad }),
      },
    },
    async (request) => {
      const { tenantId, limits } = requireTenant(request.principal, "load.read");
      return ok(request, showLoad(loadOf(await loads.facts(tenantId), limits)));
    },
  );

  app.get(
    "/system/load",
    {
      config: { action: "system.read", needsRedis: true },
      schema: {
        tags: ["system"],
        summary: "The tenants with most waiting and running now, the busiest first",
        response: answers({ 200: SystemLoad }),
      },
    },
    async (request) => {
      const busiest = await loads.busiest(BUSIEST_MAX);
      const found = await tenants.findAll(busiest.map(({ tenantId }) => tenantId));
      const byId = new Map(found.map((tenant) => [tenant.id, tenant]));
      const shown = busiest.flatMap((facts) => {
        // What is left in Redis of a tenant that is gone is nobody's load.
        const tenant = byId.get(facts.tenantId);
        if (!tenant) return [];
        return [{ tenantId: tenant.id, slug: tenant.slug, ...showLoad(loadOf(facts, tenant.limits)) }];
      });
      return ok(request, { tenants: shown });
    },
  );
}
