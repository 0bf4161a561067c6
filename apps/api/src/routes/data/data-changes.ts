import { compact } from "@bulkhead/core";
import {
  DataDocument,
  DataScopeQuery,
  Deleted,
  DeleteDocumentHeaders,
  DocumentParams,
  PutDocument,
  PutDocumentHeaders,
} from "@bulkhead/contracts";
import { putDocument, removeDocument } from "@bulkhead/tools/data";
import { readIfMatch, readPutCondition } from "../../edge/entity-tags.ts";
import { ok } from "../../edge/envelope.ts";
import { answers, type ApiScope } from "../../edge/route-schema.ts";
import { askerOf } from "../../edge/workspace-asker.ts";
import {
  presentDocument,
  recordDocument,
  tagOf,
  versionsOf,
  type DataRouteDeps,
} from "./present-document.ts";
import { noSuchDocument } from "./data.ts";

const tags = ["data"];
const write = { action: "data.write" } as const;

/** Changes of custom data. */
export function dataChangeRoutes(app: ApiScope, deps: DataRouteDeps): void {
  app.put(
    "/data/:collection/:id",
    {
      config: write,
      schema: {
        tags,
        summary: "Write a document as a whole",
        description:
          "413 `data.too_large` above `limits.maxDocumentBytes`, 409 `data.quota_exceeded` where there is no room.",
        params: DocumentParams,
        querystring: DataScopeQuery,
        headers: PutDocumentHeaders,
        body: PutDocument,
        response: answers({ 200: DataDocument, 201: DataDocument }),
      },
    },
    async (request, reply) => {
      const who = askerOf(request.principal, "data.write", request.query);
      const { collection, id } = request.params;
      const { value, ttlSeconds } = request.body;
      const { exists, tags: known } = readPutCondition(request.headers);
      const condition = { exists, versions: versionsOf(known) };
      const asked = { collection, id, value, condition, ...compact({ ttlSeconds }) };
      const { document, created } = await putDocument(deps, who.asker, asked);
      await recordDocument(deps, who, "data.written", { collection, id, version: document.version });
      void reply.header("etag", tagOf(document));
      if (created) void reply.status(201).header("location", locationOf(collection, id));
      return ok(request, presentDocument(document));
    },
  );

  app.delete(
    "/data/:collection/:id",
    {
      config: write,
      schema: {
        tags,
        summary: "Delete a document",
        params: DocumentParams,
        querystring: DataScopeQuery,
        headers: DeleteDocumentHeaders,
        response: answers({ 200: Deleted }),
      },
    },
    async (request) => {
      const who = askerOf(request.principal, "data.write", request.query);
      const { collection, id } = request.params;
      const versions = versionsOf(readIfMatch(request.headers["if-match"]));
      const condition = { exists: versions === null ? null : true, versions };
      const removed = await removeDocument(deps, who.asker, { collection, id, condition });
      if (!removed) throw noSuchDocument({ collection, id });
      await recordDocument(deps, who, "data.deleted", { collection, id });
      return ok(request, { deleted: true as const });
    },
  );
}

const locationOf = (collection: string, id: string): string =>
  `/api/v1/data/${collection}/${encodeURIComponent(id)}`;
