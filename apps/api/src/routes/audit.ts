import { listAudit, type ListAuditDeps } from "@bulkhead/audit";
import { AuditEntries, AuditQuery } from "@bulkhead/contracts";
import { ok } from "../http/envelope.ts";
import { oneMore, pageOf } from "../http/page.ts";
import { answers, type ApiScope } from "../http/route-schema.ts";
import { compact } from "../present/compact.ts";
import { presentAuditEntry } from "../present/present-audit-entry.ts";

/** Who changed and decided what in a tenant. */
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
    async (request) => {
      const { cursor, from, to, limit, ...filter } = request.query;
      const span = { from: momentOf(from), to: momentOf(to) };
      const asked = compact({ ...filter, ...span, before: cursor, limit: oneMore(limit) });
      const found = await listAudit(deps, request.principal, asked);
      const { page, nextCursor } = pageOf(found, limit, ({ entryId }) => entryId);
      return ok(request, { entries: page.map(presentAuditEntry), nextCursor });
    },
  );
}

const momentOf = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : new Date(text);
