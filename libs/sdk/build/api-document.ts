import { buildApi, type EdgeDeps } from "../../../apps/api/src/build-api.ts";
import { wireRoutes, type Opened } from "../../../apps/api/src/wire-routes.ts";
import type { Schema } from "./type-writer.ts";

interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description?: string;
  schema: Schema;
}

type Content = Record<string, { schema: Schema }>;

export interface Operation {
  operationId: string;
  summary?: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { content?: Content }>;
}

/** The API's document, as far as a client is made of it. */
export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** Stands for whatever the API would have opened: a route that is only described uses nothing of it. */
const nothing: unknown = new Proxy(() => nothing, { get: () => nothing, apply: () => nothing });

/** What `GET /docs/json` answers, from an API that has no stores and listens to nothing. */
export async function describeApi(): Promise<ApiDocument> {
  const app = await buildApi({
    ...(Object.fromEntries(
      ["logger", "tracing", "meter", "readiness", "access", "rateLimit", "devices"].map((name) => [
        name,
        nothing,
      ]),
    ) as unknown as EdgeDeps),
    corsOrigins: [],
    routes: (api, mcp) => wireRoutes(api, mcp, nothing as Opened),
  });
  await app.ready();
  return app.swagger() as unknown as ApiDocument;
}
