import { listAudit, listAuditOf, showAuditEntry, type ListAuditDeps } from "@bulkhead/tenants";
import { AuditEntries, AuditQuery, oneMore, pageOf } from "@bulkhead/contracts";
import { compact, type AuditEntry, type AuditPage } from "@bulkhead/core";
import type { FastifyRequest } from "fastify";
import type { z } from "zod";
import { ok } from "../../edge/envelope.ts";
import { answers, TenantParams, type ApiScope } from "../../edge/route-schema.ts";

/** Lists the changes and decisions in a tenant, and who made them. */
export function auditRoutes(app: ApiScope, deps: ListAuditDeps): void {
  app.get(
    "/audit",
    {
      config: { action: "audit.read" },
      schema: {
        tags: ["audit"],
        summary: "List what was changed and decided, by whom and in which request, newest first",
        querystring: AuditQuery,
        response: answers({ 200: AuditEntries }),
      },
    },
    (request) => answer(request, request.query, (page) => listAudit(deps, request.principal, page)),
  );

  app.get(
    "/tenants/:id/audit",
    {
      config: { action: "tenants.manage" },
      schema: {
        tags: ["audit"],
        summary:
          "List what was changed and decided in a tenant, newest first; of a deleted one, its deletion",
        params: TenantParams,
        querystring: AuditQuery,
        response: answers({ 200: AuditEntries }),
      },
    },
    (request) =>
      answer(request, request.query, (page) => listAuditOf(deps, request.principal, request.params.id, page)),
  );
}

async function answer(
  request: FastifyRequest,
  { cursor, from, to, limit, ...filter }: z.infer<typeof AuditQuery>,
  list: (page: AuditPage) => Promise<AuditEntry[]>,
) {
  const span = { from: momentOf(from), to: momentOf(to) };
  const found = await list(compact({ ...filter, ...span, before: cursor, limit: oneMore(limit) }));
  const { page, nextCursor } = pageOf(found, limit, ({ entryId }) => entryId);
  return ok(request, { entries: page.map(showAuditEntry), nextCursor });
}

const momentOf = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : new Date(text);
