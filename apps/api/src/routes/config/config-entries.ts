import { compact } from "@bulkhead/core";
import {
  requireTenant,
  createEntry,
  deleteEntry,
  getService,
  updateEntry,
  type ConfigDeps,
} from "@bulkhead/tenants";
import {
  ConfigEntries,
  ConfigEntry,
  CreateConfigEntry,
  Deleted,
  UpdateConfigEntry,
} from "@bulkhead/contracts";
import { IfMatch, readIfMatch } from "../../edge/entity-tags.ts";
import { ok } from "../../edge/envelope.ts";
import { answers, ConfigEntryParams, ConfigServiceParams, type ApiScope } from "../../edge/route-schema.ts";
import { etagOf, presentEntries, presentEntry } from "./present-config.ts";

const tags = ["config-services"];
const read = { action: "config.read" } as const;
const write = { action: "config.write" } as const;

/** The values of services: fill in, read what may be shown, change, delete. */
export function configEntryRoutes(app: ApiScope, deps: ConfigDeps): void {
  app.post(
    "/config-services/:name/entries",
    {
      config: write,
      schema: {
        tags,
        summary: "Fill a service in",
        params: ConfigServiceParams,
        headers: IfMatch,
        body: CreateConfigEntry,
        response: answers({ 201: ConfigEntry }),
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "config.write");
      const { name } = request.params;
      const seen = readIfMatch(request.headers["if-match"]);
      const { service, entry, warnings } = await createEntry(deps, principal, name, request.body, seen);
      // No route reads one entry by itself.
      const location = `/api/v1/config-services/${encodeURIComponent(name)}/entries`;
      void reply.status(201).header("location", location).header("etag", etagOf(service));
      return ok(request, presentEntry(service, entry, warnings));
    },
  );

  app.get(
    "/config-services/:name/entries",
    {
      config: read,
      schema: {
        tags,
        summary: "List the entries of a service, oldest first; of secrets only that they are set",
        params: ConfigServiceParams,
        response: answers({ 200: ConfigEntries }),
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "config.read");
      const service = await getService(deps, principal, request.params.name);
      void reply.header("etag", etagOf(service));
      return ok(request, { entries: presentEntries(service), nextCursor: null });
    },
  );

  app.patch(
    "/config-services/:name/entries/:label",
    {
      config: write,
      schema: {
        tags,
        summary: "Change an entry: the next execution is given what it holds then",
        params: ConfigEntryParams,
        headers: IfMatch,
        body: UpdateConfigEntry,
        response: answers({ 200: ConfigEntry }),
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "config.write");
      const { name, label } = request.params;
      const seen = readIfMatch(request.headers["if-match"]);
      const change = compact(request.body);
      const { service, entry, warnings } = await updateEntry(deps, principal, name, label, change, seen);
      void reply.header("etag", etagOf(service));
      return ok(request, presentEntry(service, entry, warnings));
    },
  );

  app.delete(
    "/config-services/:name/entries/:label",
    {
      config: write,
      schema: {
        tags,
        summary: "Delete an entry for good; of the others the oldest becomes the default where it was that",
        params: ConfigEntryParams,
        headers: IfMatch,
        response: answers({ 200: Deleted }),
      },
    },
    async (request) => {
      const principal = requireTenant(request.principal, "config.write");
      const { name, label } = request.params;
      await deleteEntry(deps, principal, name, label, readIfMatch(request.headers["if-match"]));
      return ok(request, { deleted: true as const });
    },
  );
}
