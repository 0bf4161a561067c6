import { compact } from "@bulkhead/core";
import {
  createTenant,
  deleteTenant,
  getTenant,
  listTenants,
  updateTenant,
  warnOfApprovals,
  type DeleteTenantDeps,
  type PolicyDeps,
  type TenantDeps,
} from "@bulkhead/tenants";
import {
  CreateTenant,
  DeleteTenantQuery,
  DeletingTenant,
  Tenant,
  TenantPage,
  TenantQuery,
  UpdateTenant,
  UpdatedTenant,
  oneMore,
  pageOf,
} from "@bulkhead/contracts";
import { ok } from "../../edge/envelope.ts";
import { answers, TenantParams, type ApiScope } from "../../edge/route-schema.ts";
import { presentDeletingTenant, presentTenant, presentTenantWithProgress } from "./present-tenant.ts";
import { readSettingsChange } from "./tenant-settings.ts";

const tags = ["tenants"];

export type TenantRouteDeps = TenantDeps & DeleteTenantDeps & Pick<PolicyDeps, "catalogue">;

/** The platform's administrator manages tenants. */
export function tenantRoutes(app: ApiScope, deps: TenantRouteDeps): void {
  app.post(
    "/tenants",
    {
      config: { action: "tenants.manage" },
      schema: { tags, summary: "Create a tenant", body: CreateTenant, response: answers({ 201: Tenant }) },
    },
    async (request, reply) => {
      const { slug, name, limits = {}, settings = {} } = request.body;
      const tenant = await createTenant(deps, request.principal, {
        slug,
        name,
        limits: compact(limits),
        settings: readSettingsChange(settings),
      });
      void reply.status(201).header("location", `/api/v1/tenants/${tenant.id}`);
      return ok(request, presentTenant(tenant));
    },
  );

  app.get(
    "/tenants",
    {
      config: { action: "tenants.manage" },
      schema: {
        tags,
        summary: "List tenants, newest first",
        querystring: TenantQuery,
        response: answers({ 200: TenantPage }),
      },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const asked = compact({ before: cursor, limit: oneMore(limit) });
      const found = await listTenants(deps, request.principal, asked);
      const { page, nextCursor } = pageOf(found, limit, ({ id }) => id);
      return ok(request, { tenants: page.map(presentTenant), nextCursor });
    },
  );

  app.get(
    "/tenants/:id",
    {
      config: { action: "tenants.manage" },
      schema: {
        tags,
        summary: "Read a tenant, and how far its deletion is",
        params: TenantParams,
        response: answers({ 200: Tenant }),
      },
    },
    async (request) =>
      ok(request, presentTenantWithProgress(await getTenant(deps, request.principal, request.params.id))),
  );

  app.delete(
    "/tenants/:id",
    {
      config: { action: "tenants.manage" },
      schema: {
        tags,
        summary:
          "Delete a tenant with everything it has; repeat it or read the tenant to see how far that is",
        description:
          "From the answer on no key of it opens anything, and what was sealed can't be opened again, so it can't be taken back; workers cancel what goes on and take the rest away step by step. Of it one audit entry stays (`GET /tenants/:id/audit`). A slug that is not the tenant's own is 400; while it is being deleted, changes to it and its export are 409 `tenant.deleting`, and its slug is taken.",
        params: TenantParams,
        querystring: DeleteTenantQuery,
        response: answers({ 202: DeletingTenant }),
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { tenant, deletion } = await deleteTenant(deps, request.principal, id, request.query.slug);
      void reply.status(202).header("location", `/api/v1/tenants/${id}`);
      return ok(request, presentDeletingTenant(tenant, deletion));
    },
  );

  app.patch(
    "/tenants/:id",
    {
      config: { action: "tenants.manage" },
      schema: {
        tags,
        summary: "Change a tenant",
        params: TenantParams,
        body: UpdateTenant,
        response: answers({ 200: UpdatedTenant }),
      },
    },
    async (request) => {
      const { name, limits, settings } = request.body;
      const change = compact({
        name,
        limits: limits && compact(limits),
        settings: settings && readSettingsChange(settings),
      });
      const tenant = await updateTenant(deps, request.principal, request.params.id, change);
      const warnings = await warnOfApprovals(
        deps,
        tenant.id,
        change.settings?.approval,
        "settings.approval.",
      );
      return ok(request, { ...presentTenant(tenant), ...warnings });
    },
  );
}
