import { compact } from "@bulkhead/core";
import { MemoryFound, MemoryQuery } from "@bulkhead/contracts";
import { searchMemory, type MemoryDeps } from "@bulkhead/tools/memory";
import { ok } from "../../edge/envelope.ts";
import { leaving } from "../../edge/leaving.ts";
import { answers, type ApiScope } from "../../edge/route-schema.ts";
import { askerOf } from "../../edge/workspace-asker.ts";

/** Searches of what agents and users have written down. Its documents are files, which their routes read and write. */
export function memoryRoute(app: ApiScope, deps: MemoryDeps): void {
  app.get(
    "/memory",
    {
      config: { action: "files.read", isLarge: true },
      schema: {
        tags: ["files"],
        summary: "Search the memory of an agent or a user, by words and by meaning",
        description:
          "Looks through `MEMORY.md`, `memory.md` and Markdown within `memory/`: a user's own documents, and the agent's and the tenant's where it has none of the same path. What was written before the call is found.",
        querystring: MemoryQuery,
        response: answers({ 200: MemoryFound }),
      },
    },
    async (request, reply) => {
      const { query, limit, minScore, ...said } = request.query;
      const { asker } = askerOf(request.principal, "files.read", compact(said));
      const signal = leaving(reply);
      const found = await searchMemory(deps, asker, { query, limit, minScore, signal });
      return ok(request, { ...found, nextCursor: null });
    },
  );
}
