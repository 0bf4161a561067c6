import { requireTenant } from "@bulkhead/tenants";
import { DiffQuery, Tool, Version, VersionDiff, VersionPage, VersionQuery } from "@bulkhead/contracts";
import { diffVersions } from "@bulkhead/tools";
import { ok } from "../../edge/envelope.ts";
import { IfMatch, readIfMatch, tagAnswer } from "../../edge/entity-tags.ts";
import { answers, ToolParams, VersionParams, type ApiScope } from "../../edge/route-schema.ts";
import { presentDiff, presentSummary, presentVersion } from "./present-version.ts";
import type { Tools } from "../tools/wire-tools.ts";

export type VersionRouteDeps = Pick<
  Tools,
  "getVersion" | "listVersions" | "requireVersion" | "restoreVersion" | "showTool"
>;

const tags = ["custom-tools"];

/** Every version of a tool is kept, and can be read, compared and made the next one. */
export function versionRoutes(app: ApiScope, deps: VersionRouteDeps): void {
  app.get(
    "/custom-tools/:id/versions",
    {
      config: { action: "tools.read", isLarge: true },
      schema: {
        tags,
        summary: "List the versions of a tool, newest first, without code and schemas",
        params: ToolParams,
        querystring: VersionQuery,
        response: answers({ 200: VersionPage }),
      },
    },
    async (request) => {
      const principal = requireTenant(request.principal, "tools.read");
      const { limit, cursor } = request.query;
      const page = { limit, ...(cursor === undefined ? {} : { before: cursor }) };
      const { tool, versions, next } = await deps.listVersions(principal, request.params.id, page);
      return ok(request, {
        versions: versions.map((version) => presentSummary(tool, version)),
        nextCursor: next === null ? null : String(next),
      });
    },
  );

  app.get(
    "/custom-tools/:id/versions/:n",
    {
      config: { action: "tools.read" },
      schema: {
        tags,
        summary: "Read one version of a tool",
        params: VersionParams,
        response: answers({ 200: Version }),
      },
    },
    async (request) => {
      const principal = requireTenant(request.principal, "tools.read");
      const { tool, version } = await deps.getVersion(principal, request.params.id, request.params.n);
      return ok(request, presentVersion(tool, version));
    },
  );

  app.get(
    "/custom-tools/:id/versions/:n/diff",
    {
      config: { action: "tools.read" },
      schema: {
        tags,
        summary: "What changed from one version to another",
        params: VersionParams,
        querystring: DiffQuery,
        response: answers({ 200: VersionDiff }),
      },
    },
    async (request) => {
      const principal = requireTenant(request.principal, "tools.read");
      const { tool, version: to } = await deps.getVersion(principal, request.params.id, request.params.n);
      const from = await deps.requireVersion(tool, request.query.against ?? Math.max(1, to.version - 1));
      return ok(request, presentDiff(from, to, diffVersions(from, to)));
    },
  );

  app.post(
    "/custom-tools/:id/versions/:n/restore",
    {
      config: { action: "tools.write" },
      schema: {
        tags,
        summary: "Make a new version that runs as an old one; nothing changes where the serving one does",
        params: VersionParams,
        headers: IfMatch,
        response: answers({ 200: Tool }),
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "tools.write");
      const seen = readIfMatch(request.headers["if-match"]);
      const { id, n } = request.params;
      const { tool, warnings } = await deps.restoreVersion(principal, id, n, seen);
      const shown = await deps.showTool(tool, warnings);
      tagAnswer(reply, tool, shown);
      return ok(request, shown);
    },
  );
}
