import { compact } from "@bulkhead/core";
import {
  DeletedFiles,
  DeleteFileHeaders,
  DeleteFileQuery,
  FileListQuery,
  FilePage,
  FileParams,
  FileQuery,
  FileVersionList,
  FileVersionQuery,
  GetFileHeaders,
} from "@bulkhead/contracts";
import {
  fileUsage,
  listFiles,
  listVersions,
  readFile,
  removeFile,
  statFile,
  type FileAsker,
} from "@bulkhead/tools/files";
import { z } from "zod";
import { headersOf, headersOfAnswer } from "../../edge/answer-headers.ts";
import { hasTag, readIfMatch } from "../../edge/entity-tags.ts";
import { ok } from "../../edge/envelope.ts";
import { answers, noContent, problemAnswer, type ApiScope } from "../../edge/route-schema.ts";
import { askerOf } from "../../edge/workspace-asker.ts";
import { recordFile, type FileRouteDeps } from "./record-file.ts";
import { readPathParam } from "./file-path-param.ts";
import { guardDownload, presentFile, presentFileVersion, tagOf } from "./present-file.ts";

const tags = ["files"];
const read = { action: "files.read" } as const;
const Bytes = z.any().describe("The bytes, with the content type that the name's end tells.");
const bytesAnswer = (description: string) => ({
  description,
  headers: { ...headersOf(["ETag", "Content-Range"]), ...headersOfAnswer("200", undefined) },
  content: { "application/octet-stream": { schema: Bytes } },
});

/** Files of a workspace: list, read, delete. */
export function fileRoutes(app: ApiScope, deps: FileRouteDeps): void {
  app.get(
    "/files",
    {
      config: read,
      schema: {
        tags,
        summary: "List the files of a workspace, by path",
        description:
          "A user's workspace has the agent's context files and the agent's and the tenant's memory, too, while it has none of its own.",
        querystring: FileListQuery,
        response: answers({ 200: FilePage }),
      },
    },
    async (request) => {
      const { prefix, recursive, limit, cursor, ...said } = request.query;
      const { asker } = askerOf(request.principal, "files.read", said);
      const asked = compact({ folder: prefix, cursor, isRecursive: recursive === "true", limit });
      const [{ entries, nextCursor }, usage] = await Promise.all([
        listFiles(deps, asker, asked),
        usageFor(deps, asker),
      ]);
      const files = entries.flatMap((one) => (one.kind === "file" ? presentFile(one.file) : []));
      const folders = entries.flatMap((one) =>
        one.kind === "folder" ? { path: one.path, files: one.files } : [],
      );
      return ok(request, { files, folders, ...(usage && { usage }), nextCursor });
    },
  );

  app.get(
    "/file-versions",
    {
      config: read,
      schema: {
        tags,
        summary: "List the versions of a file that are kept, newest first",
        querystring: FileVersionQuery,
        response: answers({ 200: FileVersionList }),
      },
    },
    async (request) => {
      const { path, ...said } = request.query;
      const { asker } = askerOf(request.principal, "files.read", said);
      const { file, versions } = await listVersions(deps, asker, path);
      return ok(request, {
        file: presentFile(file),
        versions: versions.map(presentFileVersion),
        nextCursor: null,
      });
    },
  );

  app.get(
    "/files/*",
    {
      config: { ...read, isLarge: true },
      preValidation: readPathParam,
      schema: {
        tags,
        summary: "Read a file, or a range of its bytes",
        description: "The bytes as they are, without an envelope. A browser saves them and shows nothing.",
        params: FileParams,
        querystring: FileQuery,
        headers: GetFileHeaders,
        response: {
          ...answers({}),
          200: bytesAnswer("The whole file."),
          206: bytesAnswer("A part of it."),
          304: noContent("It has one of the ETags of `If-None-Match`."),
          416: problemAnswer("The range begins behind the last byte (`file.range_beyond`).", "Content-Range"),
        },
      },
    },
    async (request, reply) => {
      const { version, ...said } = request.query;
      const { asker } = askerOf(request.principal, "files.read", said);
      const { path } = request.params;
      const { "if-none-match": known, range } = request.headers;
      if (known !== undefined && version === undefined) {
        const stat = await statFile(deps, asker, path);
        if (stat.kind === "file" && hasTag(known, stat.file.hash))
          return reply.status(304).header("etag", tagOf(stat.file)).send();
      }
      const part = readRange(range);
      const asked = compact({ path, version, range: part ?? undefined });
      const tellSize = (size: number): void => void reply.header("content-range", `bytes */${size}`);
      const { file, bytes, from } = await readFile(deps, asker, { ...asked, tellSize });
      guardDownload(reply, file);
      if (part !== null && bytes.length > 0)
        void reply
          .status(206)
          .header("content-range", `bytes ${from}-${from + bytes.length - 1}/${file.size}`);
      return reply.send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
    },
  );

  app.delete(
    "/files/*",
    {
      config: { action: "files.write" },
      preValidation: readPathParam,
      schema: {
        tags,
        summary: "Delete a file with its versions, or a folder with all its files",
        params: FileParams,
        querystring: DeleteFileQuery,
        headers: DeleteFileHeaders,
        response: answers({ 200: DeletedFiles }),
      },
    },
    async (request) => {
      const { recursive, ...said } = request.query;
      const who = askerOf(request.principal, "files.write", said);
      const { path } = request.params;
      const condition = { exists: null, hashes: readIfMatch(request.headers["if-match"]) };
      const isRecursive = recursive === "true";
      const { removed, bytes } = await removeFile(deps, who.asker, { path, isRecursive, condition });
      await recordFile(deps, who, { action: "file.deleted", path, details: { files: removed, bytes } });
      return ok(request, { deleted: true as const, files: removed, bytes });
    },
  );
}

/** What others have is no agent's to know. */
async function usageFor(deps: FileRouteDeps, { workspace, seesAll }: FileAsker) {
  if (!seesAll) return null;
  const { files, bytes } = await fileUsage(deps, workspace.tenantId);
  return { files, bytes };
}

/** Bytes from `from` to `to` (exclusive); `back`: so many before the end. */
type ByteRange = { from: number; to: number } | { back: number };

/** RFC 9110, 14.1.2: one range of bytes. Null for any other, which a server may answer with the whole. */
function readRange(header: string | undefined): ByteRange | null {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? "") ?? [];
  if (first === "" && last === "") return null;
  if (first === "") return { back: Number(last) };
  if (last !== "" && Number(last) < Number(first)) return null;
  return { from: Number(first), to: last === "" ? Infinity : Number(last) + 1 };
}
