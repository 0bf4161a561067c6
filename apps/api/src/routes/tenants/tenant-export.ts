import { exportTenant, type ExportDeps } from "@bulkhead/tenants";
import { type SignalBus, type StreamedFile, Fault } from "@bulkhead/core";
import type { FastifyReply } from "fastify";
import type { Readable } from "node:stream";
import { z } from "zod";
import { watchKey } from "../../edge/authentication.ts";
import { headersOfAnswer } from "../../edge/answer-headers.ts";
import { answers, TenantParams, type ApiScope } from "../../edge/route-schema.ts";

export interface TenantExportRouteDeps extends ExportDeps {
  streamArchive: (files: readonly StreamedFile[], signal: AbortSignal) => Readable;
  /** Tells of keys that are gone. */
  signals: Pick<SignalBus, "subscribe">;
  /** Fires when this process stops. */
  stopping: { streams: AbortSignal };
}

/** Exports that go on at a time in one process: each holds a connection of the database for a page at a time, and compresses. */
const EXPORTS_AT_ONCE_MAX = 2;
/** A refused export may come again after this. */
const RETRY_SECONDS = 30;
/** The export is broken off after its reader took nothing, or the database gave nothing, for so many milliseconds. */
const STALLED_MS = 60_000;
const ZIP = "application/zip";
const Zipped = z.string().meta({ format: "binary" });

/** Exports all that a tenant has. */
export function tenantExportRoutes(app: ApiScope, deps: TenantExportRouteDeps): void {
  const underWay = new Set<string>();
  app.get(
    "/tenants/:id/export",
    {
      // It would begin an export that nobody reads.
      exposeHeadRoute: false,
      config: { action: "tenants.export" },
      schema: {
        tags: ["tenants"],
        summary:
          "Everything of a tenant as one zip, streamed: a file of JSON lines for each kind, without secrets",
        description:
          "An owner exports the own tenant alone. No picture of one moment: what changes meanwhile may be in it or not. `README.md` in it says what is what; `manifest.json` with the number of lines of each file is written last, and an archive without it was cut off. While another export of the tenant goes on, 429 `exports.busy`.",
        params: TenantParams,
        response: {
          ...answers({}),
          200: {
            description: "The archive. It has no length beforehand, and can't be resumed.",
            headers: headersOfAnswer("200", undefined),
            content: { [ZIP]: { schema: Zipped } },
          },
        },
      },
    },
    async (request, reply) => {
      const { tenant, files } = await exportTenant(deps, request.principal, request.params.id);
      const giveBack = takePlace(underWay, tenant.id);
      const left = new AbortController();
      const signal = AbortSignal.any([left.signal, deps.stopping.streams]);
      const unsubscribe = watchKey(deps.signals, request, () => left.abort());
      const archive = deps.streamArchive(files, signal).once("close", () => {
        unsubscribe();
        giveBack();
      });
      reply.raw.once("close", () => left.abort());
      reply.raw.setTimeout(STALLED_MS, () => reply.raw.destroy());
      // Its reader may have left while the tenant was looked up.
      if (reply.raw.closed) left.abort();
      return sendZip(reply, `${tenant.slug}.zip`, archive);
    },
  );
}

/** Without the envelope: the serializer is for JSON only. */
const sendZip = (reply: FastifyReply, name: string, archive: Readable): FastifyReply =>
  reply
    .type(ZIP)
    .header("cache-control", "no-store")
    .header("content-disposition", `attachment; filename="${name}"`)
    .send(archive);

/** Returns the function that gives the slot back. Throws `exports.busy`. */
function takePlace(underWay: Set<string>, tenantId: string): () => void {
  if (underWay.size >= EXPORTS_AT_ONCE_MAX || underWay.has(tenantId))
    throw new Fault("exports.busy", {
      detail: `Of a tenant one export goes on at a time, and ${EXPORTS_AT_ONCE_MAX} of all tenants; ask again when one is done.`,
      retryAfterSeconds: RETRY_SECONDS,
    });
  underWay.add(tenantId);
  return () => void underWay.delete(tenantId);
}
