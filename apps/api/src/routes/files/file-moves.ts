import { compact } from "@bulkhead/core";
import {
  FoundInFiles,
  GlobbedFiles,
  GlobFiles,
  MovedFiles,
  MoveFile,
  SearchFiles,
  WorkspaceQuery,
} from "@bulkhead/contracts";
import { globFiles, moveFile, searchFiles } from "@bulkhead/tools/files";
import { ok } from "../../edge/envelope.ts";
import { answers, type ApiScope } from "../../edge/route-schema.ts";
import { askerOf } from "../../edge/workspace-asker.ts";
import { recordFile, type FileRouteDeps } from "./record-file.ts";
import { presentFile } from "./present-file.ts";

const tags = ["files"];

/** What is about several files: moves, searches and globs. */
export function fileMoveRoutes(app: ApiScope, deps: FileRouteDeps): void {
  app.post(
    "/files/move",
    {
      config: { action: "files.write" },
      schema: {
        tags,
        summary: "Move a file, or a folder with all its files, at once",
        querystring: WorkspaceQuery,
        body: MoveFile,
        response: answers({ 200: MovedFiles }),
      },
    },
    async (request) => {
      const who = askerOf(request.principal, "files.write", request.query);
      const { from, to, overwrite } = request.body;
      const { moved } = await moveFile(deps, who.asker, { from, to, overwrites: overwrite });
      await recordFile(deps, who, { action: "file.moved", path: from, details: { to, files: moved.length } });
      return ok(request, { moved: moved.length });
    },
  );

  app.post(
    "/files/glob",
    {
      config: { action: "files.read" },
      schema: {
        tags,
        summary: "Find files by a pattern of their paths",
        querystring: WorkspaceQuery,
        body: GlobFiles,
        response: answers({ 200: GlobbedFiles }),
      },
    },
    async (request) => {
      const { asker } = askerOf(request.principal, "files.read", request.query);
      const { pattern, path } = request.body;
      const { files, isCut } = await globFiles(deps, asker, compact({ pattern, folder: path }));
      return ok(request, { files: files.map(presentFile), cut: isCut });
    },
  );

  app.post(
    "/files/search",
    {
      config: { action: "files.read", isLarge: true },
      schema: {
        tags,
        summary: "Search the lines of files",
        description:
          "Goes on for ten seconds at most. Much faster for a pattern that holds a text which has to be there.",
        querystring: WorkspaceQuery,
        body: SearchFiles,
        response: answers({ 200: FoundInFiles }),
      },
    },
    async (request, reply) => {
      const { asker } = askerOf(request.principal, "files.read", request.query);
      const { pattern, path, glob, ignoreCase, limit } = request.body;
      const left = new AbortController();
      reply.raw.once("close", () => left.abort());
      const asked = compact({
        pattern,
        folder: path,
        glob,
        ignoresCase: ignoreCase,
        limit,
        signal: left.signal,
      });
      return ok(request, await searchFiles(deps, asker, asked));
    },
  );
}
