import {
  getSettings,
  requireTenant,
  updateSettings,
  warnOfApprovals,
  type PolicyDeps,
  type TenantDeps,
} from "@bulkhead/tenants";
import { TenantSettings, TenantSettingsChange, UpdatedTenantSettings } from "@bulkhead/contracts";
import { compact, type TenantSettingsChange as Change } from "@bulkhead/core";
import type { z } from "zod";
import { ok } from "../../edge/envelope.ts";
import { answers, type ApiScope } from "../../edge/route-schema.ts";

const tags = ["tenants"];

/** A change of settings as a body says it. */
export const readSettingsChange = ({ approval, ...others }: z.infer<typeof TenantSettingsChange>): Change =>
  compact({ ...others, approval: approval && compact(approval) });

/** A tenant's owners read and change its settings without the platform's administrator. */
export function tenantSettingsRoutes(
  app: ApiScope,
  deps: Pick<TenantDeps, "tenants" | "bus" | "audit"> & Pick<PolicyDeps, "catalogue">,
): void {
  app.get(
    "/tenant/settings",
    {
      config: { action: "settings.read" },
      schema: {
        tags,
        summary: "Read the settings of one's own tenant",
        response: answers({ 200: TenantSettings }),
      },
    },
    async (request) => ok(request, await getSettings(deps, request.principal)),
  );

  app.patch(
    "/tenant/settings",
    {
      config: { action: "settings.write" },
      schema: {
        tags,
        summary: "Change the settings of one's own tenant; each field replaces the whole of what was there",
        body: TenantSettingsChange,
        response: answers({ 200: UpdatedTenantSettings }),
      },
    },
    async (request) => {
      const change = readSettingsChange(request.body);
      const { tenantId } = requireTenant(request.principal, "settings.write");
      const settings = await updateSettings(deps, request.principal, change);
      const warnings = await warnOfApprovals(deps, tenantId, change.approval, "approval.");
      return ok(request, { ...settings, ...warnings });
    },
  );
}
