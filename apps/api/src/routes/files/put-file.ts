import { FileParams, PutFile, PutFileHeaders, WorkspaceQuery } from "@bulkhead/contracts";
import { Fault } from "@bulkhead/core";
import { TenantPermits } from "@bulkhead/process";
import { requireTenant } from "@bulkhead/tenants";
import { fileTooLarge, writeFile } from "@bulkhead/tools/files";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import type { Readable } from "node:stream";
import { z } from "zod";
import { checkBodyCoding } from "../../edge/body-coding.ts";
import { readPutCondition } from "../../edge/entity-tags.ts";
import { ok } from "../../edge/envelope.ts";
import { answers, noContent, type ApiScope } from "../../edge/route-schema.ts";
import { askerOf } from "../../edge/workspace-asker.ts";
import { recordFile, type FileRouteDeps } from "./record-file.ts";
import { readPathParam } from "./file-path-param.ts";
import { locationOf, presentFile, tagOf } from "./present-file.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Gives the turn of an upload back; null where there is none. */
    endUpload: (() => void) | null;
  }
}

/** Files of one tenant that come in at a time in this process: each may be as large as a file may be. */
const UPLOADS_AT_ONCE = 4;
/** How long one waits for its turn; milliseconds. */
const UPLOAD_WAIT_MS_MAX = 10_000;
const RETRY_SECONDS = 5;

const Body = z.any().describe("The file's bytes, whatever their media type: the end of the name tells that.");

/** Writes a file as a whole. In a scope of its own, so that no other route takes bytes. */
export function putFileRoute(app: ApiScope, deps: FileRouteDeps): void {
  const permits = new TenantPermits(UPLOADS_AT_ONCE);
  void app.register(async (scope) => {
    scope.decorateRequest("endUpload", null);
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", readUpload);
    scope.addHook("preParsing", (request, reply) => beginUpload(permits, request, reply));
    putRoute(scope.withTypeProvider<ZodTypeProvider>(), deps);
  });
}

function putRoute(app: ApiScope, deps: FileRouteDeps): void {
  app.put(
    "/files/*",
    {
      config: { action: "files.write", takesBytes: true },
      preValidation: readPathParam,
      schema: {
        tags: ["files"],
        summary: "Write a file as a whole",
        description:
          "There is the former content or the new one, nothing between. 413 `file.too_large` above `limits.maxFileBytes`, 409 `file.quota_exceeded` where there is no room.",
        params: FileParams,
        querystring: WorkspaceQuery,
        headers: PutFileHeaders,
        body: Body,
        response: {
          ...answers({ 200: PutFile, 201: PutFile }),
          204: noContent("It is gone: an empty BOOTSTRAP.md is as good as none."),
        },
      },
    },
    async (request, reply) => {
      const who = askerOf(request.principal, "files.write", request.query);
      const { path } = request.params;
      const { exists, tags: hashes } = readPutCondition(request.headers);
      const content = request.body instanceof Uint8Array ? request.body : new Uint8Array(0);
      const written = await writeFile(deps, who.asker, { path, content, condition: { exists, hashes } });
      const { file, created, changed } = written;
      if (changed)
        await recordFile(deps, who, {
          action: "file.written",
          path: file?.path ?? path,
          file,
          details: { bytes: content.length },
        });
      if (file === null) return reply.status(204).send();
      void reply.header("etag", tagOf(file));
      if (created) void reply.status(201).header("location", locationOf(file.path));
      return ok(request, { ...presentFile(file), changed });
    },
  );
}

/** Before the body is read: what can't be taken is refused by its length, and what can waits for its turn. */
async function beginUpload(
  permits: TenantPermits,
  request: FastifyRequest,
  { raw }: FastifyReply,
): Promise<void> {
  const { tenantId, limits } = requireTenant(request.principal, "files.write");
  if (Number(request.headers["content-length"] ?? 0) > limits.maxFileBytes)
    throw fileTooLarge(limits.maxFileBytes);
  const left = AbortSignal.timeout(UPLOAD_WAIT_MS_MAX);
  const giveBack = await permits.take(tenantId, left);
  if (giveBack === null)
    throw new Fault("file.uploads_busy", {
      detail: `Of a tenant ${UPLOADS_AT_ONCE} files come in at a time; send fewer at once.`,
      retryAfterSeconds: RETRY_SECONDS,
    });
  request.endUpload = giveBack;
  if (raw.closed) giveBack();
  else raw.once("close", giveBack);
}

/** The body whole, within the tenant's bound. What comes beyond it is left to be drained. */
async function readUpload(request: FastifyRequest, payload: Readable): Promise<Buffer> {
  checkBodyCoding(request.headers);
  const { limits } = requireTenant(request.principal, "files.write");
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of payload.iterator({ destroyOnReturn: false })) {
      bytes += (chunk as Buffer).length;
      if (bytes > limits.maxFileBytes) throw fileTooLarge(limits.maxFileBytes);
      chunks.push(chunk as Buffer);
    }
  } catch (cause) {
    if (cause instanceof Fault) throw cause;
    throw new Fault("request.invalid", { detail: "The body did not arrive whole.", cause });
  }
  return Buffer.concat(chunks);
}
