import {
  CollectionListQuery,
  CollectionParams,
  DataCollectionPage,
  DataDocument,
  DataDocumentPage,
  DataQuery,
  DataScopeQuery,
  DocumentParams,
} from "@bulkhead/contracts";
import { Fault, type JsonObject, compact } from "@bulkhead/core";
import { getDocument, listCollections, queryDocuments } from "@bulkhead/tools/data";
import { ok } from "../../edge/envelope.ts";
import { answers, type ApiScope } from "../../edge/route-schema.ts";
import { askerOf } from "../../edge/workspace-asker.ts";
import { presentDocument, tagOf, type DataRouteDeps } from "./present-document.ts";

const tags = ["data"];
const read = { action: "data.read" } as const;

/** Custom data: collections, and documents to be looked at. */
export function dataRoutes(app: ApiScope, deps: DataRouteDeps): void {
  app.get(
    "/data",
    {
      config: read,
      schema: {
        tags,
        summary: "List the collections of custom data that have documents",
        querystring: CollectionListQuery,
        response: answers({ 200: DataCollectionPage }),
      },
    },
    async (request) => {
      const { everywhere, limit, cursor, ...said } = request.query;
      const { asker } = askerOf(request.principal, "data.read", said);
      const asked = compact({ everywhere: everywhere === "true", limit, cursor });
      const { collections, usage, nextCursor } = await listCollections(deps, asker, asked);
      return ok(request, {
        collections: collections.map(({ workspace: { agentId, userId }, collection, documents, bytes }) => ({
          name: collection,
          agentId,
          userId,
          documents,
          bytes,
        })),
        ...(usage && { usage }),
        nextCursor,
      });
    },
  );

  app.get(
    "/data/:collection",
    {
      config: { ...read, isLarge: true },
      schema: {
        tags,
        summary: "Find documents of a collection",
        description: "One that isn't there has none. 422 `data.query_too_slow` where it takes five seconds.",
        params: CollectionParams,
        querystring: DataQuery,
        response: answers({ 200: DataDocumentPage }),
      },
    },
    async (request) => {
      const { where, orderBy, limit, cursor, ...said } = request.query;
      const { asker } = askerOf(request.principal, "data.read", said);
      const { collection } = request.params;
      const conditions = where === undefined ? undefined : readWhere(where);
      const asked = compact({ collection, where: conditions, orderBy, limit, cursor });
      const { documents, nextCursor } = await queryDocuments(deps, asker, asked);
      return ok(request, { documents: documents.map(presentDocument), nextCursor });
    },
  );

  app.get(
    "/data/:collection/:id",
    {
      config: read,
      schema: {
        tags,
        summary: "Read a document",
        params: DocumentParams,
        querystring: DataScopeQuery,
        response: answers({ 200: DataDocument }),
      },
    },
    async (request, reply) => {
      const { asker } = askerOf(request.principal, "data.read", request.query);
      const document = await getDocument(deps, asker, request.params);
      if (!document) throw noSuchDocument(request.params);
      void reply.header("etag", tagOf(document));
      return ok(request, presentDocument(document));
    },
  );
}

export const noSuchDocument = ({ collection, id }: { collection: string; id: string }): Fault =>
  new Fault("data.not_found", { detail: `There is no document ${JSON.stringify(id)} in ${collection}.` });

/** Throws `data.query_invalid`. */
function readWhere(text: string): JsonObject {
  const where = parsed(text);
  if (typeof where === "object" && where !== null && !Array.isArray(where)) return where as JsonObject;
  const message = "must be a JSON object";
  throw new Fault("data.query_invalid", {
    detail: `The query is not valid: where ${message}.`,
    errors: [{ path: "where", message }],
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
