import { listStandingApprovals, revokeStanding, type StandingDeps } from "@bulkhead/executions";
import { Deleted, StandingPage, StandingQuery, oneMore, pageOf, shownAs } from "@bulkhead/contracts";
import { compact, type AuditLog, type StandingApproval } from "@bulkhead/core";
import { ok } from "../../edge/envelope.ts";
import { answers, ApprovalParams, type ApiScope } from "../../edge/route-schema.ts";

const tags = ["approvals"];

/** Lists and revokes calls that were allowed for good. */
export function standingApprovalRoutes(app: ApiScope, deps: StandingDeps & { audit: AuditLog }): void {
  app.get(
    "/approvals/standing",
    {
      config: { action: "approvals.read" },
      schema: {
        tags,
        summary: "List what was allowed for good, newest first",
        querystring: StandingQuery,
        response: answers({ 200: StandingPage }),
      },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const asked = compact({ before: cursor, limit: oneMore(limit) });
      const found = await listStandingApprovals(deps, request.principal, asked);
      const { page, nextCursor } = pageOf(found, limit, ({ standingId }) => standingId);
      return ok(request, { standing: page.map(presentStanding), nextCursor });
    },
  );

  app.delete(
    "/approvals/standing/:id",
    {
      config: { action: "approvals.answer" },
      schema: {
        tags,
        summary: "Ask about such calls again",
        params: ApprovalParams,
        response: answers({ 200: Deleted }),
      },
    },
    async (request) => {
      await revokeStanding(deps, request.principal, request.params.id);
      return ok(request, { deleted: true as const });
    },
  );
}

const presentStanding = (standing: StandingApproval) =>
  shownAs(StandingPage.shape.standing.element, standing, {
    id: standing.standingId,
    argument: standing.pattern?.argument ?? undefined,
    pattern: standing.pattern?.pattern,
  });
