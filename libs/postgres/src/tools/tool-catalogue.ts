import type { ToolCatalogue } from "@bulkhead/core";
import type { PrismaClient } from "../generated/client.ts";
import { faulting } from "../sql-trouble.ts";
import { definitionMarks, listDefinitions } from "./list-definitions.ts";
import { pageOfTools, summariesOfTools } from "./list-tools.ts";
import { searchTools } from "./search-tools.ts";
import { statsOfTools } from "./stats-tools.ts";

/** Looks for tools in PostgreSQL. What it throws is a Fault. */
export const openToolCatalogue = (client: PrismaClient): ToolCatalogue => ({
  page: (tenantId, query) => faulting(() => pageOfTools(client, tenantId, query)),
  stats: (tenantId, scope, agentId) => faulting(() => statsOfTools(client, tenantId, scope, agentId)),
  summaries: (tenantId, query) => faulting(() => summariesOfTools(client, tenantId, query)),
  search: (tenantId, query) => faulting(() => searchTools(client, tenantId, query)),
  definitionMarks: (tenantId, agentId) => faulting(() => definitionMarks(client, tenantId, agentId)),
  definitions: (tenantId, agentId, bytesMax, ids) =>
    faulting(() => listDefinitions(client, tenantId, agentId, bytesMax, ids)),
});
