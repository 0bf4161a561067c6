import { compact } from "@bulkhead/core";
import {
  requireTenant,
  createService,
  deleteService,
  listServices,
  readService,
  showServiceSummary,
  updateService,
  type ConfigDeps,
} from "@bulkhead/tenants";
import {
  asConfigSchema,
  ConfigService,
  ConfigServicePage,
  ConfigServiceQuery,
  CreateConfigService,
  Deleted,
  UpdateConfigService,
  oneMore,
  pageOf,
} from "@bulkhead/contracts";
import { IfMatch, readIfMatch } from "../../edge/entity-tags.ts";
import { ok } from "../../edge/envelope.ts";
import { answers, ConfigServiceParams, type ApiScope } from "../../edge/route-schema.ts";
import { etagOf, presentService } from "./present-config.ts";

const tags = ["config-services"];
const params = ConfigServiceParams;
const read = { action: "config.read" } as const;
const write = { action: "config.write" } as const;

/** Outside services that tools use: create, read, change, delete. */
export function configServiceRoutes(app: ApiScope, deps: ConfigDeps): void {
  app.post(
    "/config-services",
    {
      config: write,
      schema: {
        tags,
        summary: "Register a service that tools use",
        body: CreateConfigService,
        response: answers({ 201: ConfigService }),
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "config.write");
      const { configSchema, ...rest } = request.body;
      const service = await createService(
        deps,
        principal,
        compact({ ...rest, configSchema: configSchema && asConfigSchema(configSchema) }),
      );
      const location = `/api/v1/config-services/${encodeURIComponent(service.name)}`;
      void reply.status(201).header("location", location).header("etag", etagOf(service));
      return ok(request, presentService(service));
    },
  );

  app.get(
    "/config-services",
    {
      config: read,
      schema: {
        tags,
        summary: "List services by name",
        querystring: ConfigServiceQuery,
        response: answers({ 200: ConfigServicePage }),
      },
    },
    async (request) => {
      const principal = requireTenant(request.principal, "config.read");
      const { limit, cursor } = request.query;
      const asked = compact({ limit: oneMore(limit), after: cursor });
      const found = await listServices(deps, principal, asked);
      const { page, nextCursor } = pageOf(found, limit, ({ service }) => service.name);
      return ok(request, { services: page.map(showServiceSummary), nextCursor });
    },
  );

  app.get(
    "/config-services/:name",
    {
      config: read,
      schema: {
        tags,
        summary: "Read a service with its entries; of secrets only that they are set",
        params,
        response: answers({ 200: ConfigService }),
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "config.read");
      const { service, tools } = await readService(deps, principal, request.params.name);
      void reply.header("etag", etagOf(service));
      return ok(request, presentService(service, tools));
    },
  );

  app.patch(
    "/config-services/:name",
    {
      config: write,
      schema: {
        tags,
        summary: "Change a service; its entries stay, and must still fit",
        params,
        headers: IfMatch,
        body: UpdateConfigService,
        response: answers({ 200: ConfigService }),
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "config.write");
      const { configSchema, ...rest } = request.body;
      const change = compact({ ...rest, configSchema: configSchema && asConfigSchema(configSchema) });
      const seen = readIfMatch(request.headers["if-match"]);
      const service = await updateService(deps, principal, request.params.name, change, seen);
      void reply.header("etag", etagOf(service));
      return ok(request, presentService(service));
    },
  );

  app.delete(
    "/config-services/:name",
    {
      config: write,
      schema: {
        tags,
        summary: "Delete a service with all its entries for good; tools that need it go on without",
        params,
        headers: IfMatch,
        response: answers({ 200: Deleted }),
      },
    },
    async (request) => {
      const principal = requireTenant(request.principal, "config.write");
      const seen = readIfMatch(request.headers["if-match"]);
      await deleteService(deps, principal, request.params.name, seen);
      return ok(request, { deleted: true as const });
    },
  );
}
