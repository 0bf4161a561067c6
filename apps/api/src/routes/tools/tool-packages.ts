import { requireTenant } from "@bulkhead/tenants";
import {
  ExportAnswer,
  ExportQuery,
  HashesQuery,
  ImportAnswer,
  ImportQuery,
  PACKAGE_TOOLS_MAX,
  ToolHashes,
  ToolPackages,
} from "@bulkhead/contracts";
import { compact, type Tool, type ToolArchive } from "@bulkhead/core";
import { readCursor, recordHashOf, writeCursor } from "@bulkhead/tools";
import { archiveOf, foldersOfArchive, type HashedTool, type ImportedTool } from "@bulkhead/tools/packages";
import type { FastifyReply } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { checkBodyCoding } from "../../edge/body-coding.ts";
import { ok } from "../../edge/envelope.ts";
import { answers, type ApiScope } from "../../edge/route-schema.ts";
import { invalidField } from "../../edge/validate.ts";
import type { Tools } from "./wire-tools.ts";

export type ToolPackageRouteDeps = Pick<Tools, "exportTools" | "importTools" | "listHashes"> & {
  archive: ToolArchive;
};

const tags = ["custom-tools"];
const ZIP = "application/zip";
/** The second is what browsers on Windows call it. */
const ZIPS = [ZIP, "application/x-zip-compressed"] as const;
const Zipped = z.string().meta({ format: "binary" }).describe("The same folders in one archive.");
const BY_NAME = { sort: "name", order: "asc" } as const;

/** Tools as files: one folder each, as one zip or as one JSON document. */
export function toolPackageRoutes(app: ApiScope, deps: ToolPackageRouteDeps): void {
  app.get(
    "/custom-tools/export/hashes",
    {
      config: { action: "tools.read", isLarge: true },
      schema: {
        tags,
        summary: "Every tool's hashes by name, to find what differs from a folder without reading all",
        querystring: HashesQuery,
        response: answers({ 200: ToolHashes }),
      },
    },
    async (request) => {
      const principal = requireTenant(request.principal, "tools.read");
      const { limit, cursor } = request.query;
      const after = cursor === undefined ? {} : { after: readCursor(BY_NAME, cursor) };
      const { tools, next } = await deps.listHashes(principal, { limit, ...after });
      return ok(request, { tools: tools.map(presentHash), nextCursor: writeCursor(BY_NAME, next) });
    },
  );

  // In a scope of its own, so that no other route takes a zip.
  void app.register(async (scope) => importRoute(scope.withTypeProvider<ZodTypeProvider>(), deps));

  app.get(
    "/custom-tools/export",
    {
      config: { action: "tools.read", isLarge: true },
      schema: {
        tags,
        summary:
          'Tools as folders, by name, in parts that an import takes; `Link: rel="next"` names the next part',
        querystring: ExportQuery,
        response: answers({ 200: ExportAnswer }, false, { [ZIP]: { schema: Zipped } }),
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "tools.read");
      const { folders, next } = await deps.exportTools(principal, readQuery(request.query));
      void reply.header("vary", "accept");
      tellNext(reply, request.query, writeCursor(BY_NAME, next));
      if (wantsZip(request.query.format, request.headers.accept)) {
        return sendZip(reply, deps.archive.write(archiveOf(folders)));
      }
      return ok(request, { tools: folders as z.infer<typeof ExportAnswer>["tools"] });
    },
  );
}

const presentHash = ({ agentId, pendingVersion, updatedAt, source, ...tool }: HashedTool) => ({
  ...tool,
  updatedAt: updatedAt.toISOString(),
  ...(agentId === null ? {} : { agentId }),
  ...(pendingVersion === null ? {} : { pendingVersion }),
  ...(source === null ? {} : { source }),
});

function importRoute(app: ApiScope, deps: ToolPackageRouteDeps): void {
  app.addContentTypeParser([...ZIPS], { parseAs: "buffer" }, ({ headers }, body, done) => {
    try {
      checkBodyCoding(headers);
      done(null, { tools: foldersOfArchive(deps.archive.read(body as Buffer)) });
    } catch (error) {
      done(error as Error, undefined);
    }
  });

  app.post(
    "/custom-tools/import",
    {
      config: { action: "tools.write", bodyForms: ZIPS },
      schema: {
        tags,
        summary:
          "Make tools of folders, all of them or each on its own; `existing` decides on names that are taken",
        querystring: ImportQuery,
        body: ToolPackages,
        response: answers({ 200: ImportAnswer }),
      },
    },
    async (request) => {
      const principal = requireTenant(request.principal, "tools.write");
      const { mode, existing, dryRun } = request.query;
      const { tools, ifMatch, remove, source, loadMs = {} } = request.body;
      for (const ms of Object.values(loadMs)) request.server.metrics.toolLoaded(ms);
      const terms = compact({ ifMatch, remove, source, dryRun: dryRun === "true" });
      return ok(request, presentImport(await deps.importTools(principal, tools, mode, existing, terms)));
    },
  );
}

/** Without the envelope: the serializer is for JSON only. */
const sendZip = (reply: FastifyReply, zip: Uint8Array): FastifyReply =>
  reply
    .type(ZIP)
    .header("content-disposition", 'attachment; filename="tools.zip"')
    .send(Buffer.from(zip.buffer, zip.byteOffset, zip.byteLength));

/** Throws `request.invalid` for too many names, and for a cursor of something else. */
function readQuery({ names, status, agentId, cursor }: z.infer<typeof ExportQuery>) {
  const asked = names?.split(",").map((name) => name.trim());
  if (asked && asked.length > PACKAGE_TOOLS_MAX) {
    throw invalidField("names", `must be ${PACKAGE_TOOLS_MAX} at most`);
  }
  const after = cursor === undefined ? undefined : readCursor(BY_NAME, cursor);
  return compact({ names: asked, status, agentId, after });
}

/** RFC 8288; relative, since who calls knows by which host it came. */
function tellNext(reply: FastifyReply, query: z.infer<typeof ExportQuery>, cursor: string | null): void {
  if (cursor === null) return;
  const { names, status, agentId, format } = query;
  const search = new URLSearchParams(compact({ names, status, agentId, format, cursor })).toString();
  void reply.header("link", `</api/v1/custom-tools/export?${search}>; rel="next"`);
}

const wantsZip = (format: "zip" | "json" | undefined, accept = ""): boolean =>
  format === undefined ? accept.toLowerCase().includes(ZIP) : format === "zip";

/** Shows the outcome of each folder of an import, in their order. */
function presentImport(imported: readonly ImportedTool[]) {
  const tools = imported.map(presentOne);
  const count = (wanted: (typeof tools)[number]["outcome"]) =>
    tools.filter(({ outcome }) => outcome === wanted).length;
  return {
    tools,
    created: count("created"),
    updated: count("updated"),
    unchanged: count("unchanged"),
    skipped: count("skipped"),
    deleted: count("deleted"),
    refused: count("failed"),
  };
}

function presentOne(item: ImportedTool) {
  if ("fault" in item) {
    const { code, detail, errors } = item.fault;
    const error = { code, message: detail, errors };
    return { folder: item.folder, outcome: "failed" as const, error };
  }
  const { folder, outcome, name, changed, schedulesPaused, tool } = item;
  const warnings = item.warnings.length > 0 ? item.warnings : undefined;
  return compact({
    folder,
    outcome,
    name,
    changed,
    ...(tool && presentState(tool)),
    ...(tool && { permissions: tool.permissions }),
    schedulesPaused,
    warnings,
  });
}

const presentState = (tool: Tool) => ({
  id: tool.id,
  version: tool.version,
  status: tool.status,
  contentHash: tool.contentHash,
  recordHash: recordHashOf(tool),
});
