import { createTenant, getTenant, listTenants, updateTenant, type TenantDeps } from "@bulkhead/access";
import { CreateTenant, Tenant, TenantPage, TenantQuery, UpdateTenant } from "@bulkhead/contracts";
import { ok } from "../http/envelope.ts";
import { oneMore, pageOf } from "../http/page.ts";
import { answers, TenantParams, type ApiScope } from "../http/route-schema.ts";
import { presentTenant } from "../present/present-tenant.ts";
import { compact } from "../present/compact.ts";
import { readSettingsChange } from "./tenant-settings.ts";

const tags = ["tenants"];

/** For the platform's administrator. */
export function tenantRoutes(app: ApiScope, deps: TenantDeps): void {
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
      schema: { tags, summary: "Read a tenant", params: TenantParams, response: answers({ 200: Tenant }) },
    },
    async (request) =>
      ok(request, presentTenant(await getTenant(deps, request.principal, request.params.id))),
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
        response: answers({ 200: Tenant }),
      },
    },
    async (request) => {
      const { name, limits, settings } = request.body;
      const change = compact({
        name,
        limits: limits && compact(limits),
        settings: settings && readSettingsChange(settings),
      });
      return ok(
        request,
        presentTenant(await updateTenant(deps, request.principal, request.params.id, change)),
      );
    },
  );
}
