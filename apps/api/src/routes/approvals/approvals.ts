import { requireTenant, type coverReason } from "@bulkhead/tenants";
import {
  showApproval,
  type allowAny,
  type countWaiting,
  type denyAny,
  type getAnyApproval,
  type listAnyApprovals,
} from "@bulkhead/executions";
import { countWaitingTools } from "@bulkhead/tools";
import {
  AllowAlways,
  AllowOnce,
  Approval,
  ApprovalPage,
  ApprovalQuery,
  Deny,
  oneMore,
  pageOf,
} from "@bulkhead/contracts";
import { compact, type ToolCatalogue } from "@bulkhead/core";
import { ok } from "../../edge/envelope.ts";
import { answers, ApprovalParams, type ApiScope } from "../../edge/route-schema.ts";
import type { Given } from "../../given.ts";

const tags = ["approvals"];
const response = answers({ 200: Approval });
/** The routes that allow a call share it. */
const description =
  "What is blocked for agents by now can't be allowed: 403 `tool.blocked`, and the call waits until it is denied or expires.";

export interface ApprovalRouteDeps {
  allowAny: Given<typeof allowAny>;
  denyAny: Given<typeof denyAny>;
  getAnyApproval: Given<typeof getAnyApproval>;
  listAnyApprovals: Given<typeof listAnyApprovals>;
  countWaiting: Given<typeof countWaiting>;
  coverReason: Given<typeof coverReason>;
  catalogue: Pick<ToolCatalogue, "page">;
}

/** Calls of agents that wait for a person, and those that did. */
export function approvalRoutes(app: ApiScope, deps: ApprovalRouteDeps): void {
  app.get(
    "/approvals",
    {
      config: { action: "approvals.read" },
      schema: {
        tags,
        summary: "List the calls that wait for a person, or waited, newest first",
        querystring: ApprovalQuery,
        response: answers({ 200: ApprovalPage }),
      },
    },
    async (request) => {
      const { principal, query } = request;
      const { limit, cursor, status: statuses = ["waiting"] } = query;
      const [found, waitingCount, tools] = await Promise.all([
        deps.listAnyApprovals(principal, compact({ statuses, before: cursor, limit: oneMore(limit) })),
        deps.countWaiting(principal),
        countWaitingTools(deps, requireTenant(principal, "tools.read")),
      ]);
      const { page, nextCursor } = pageOf(found, limit, ({ approval }) => approval.approvalId);
      return ok(request, { approvals: page.map(showApproval), nextCursor, waitingCount, tools });
    },
  );

  app.get(
    "/approvals/:id",
    {
      config: { action: "approvals.read" },
      schema: {
        tags,
        summary: "Read how a call was answered, and what came of a meta-tool's",
        params: ApprovalParams,
        response,
      },
    },
    async (request) =>
      ok(request, showApproval(await deps.getAnyApproval(request.principal, request.params.id))),
  );

  const config = { action: "approvals.answer", needsRedis: true } as const;
  app.post(
    "/approvals/:id/allow-once",
    {
      config,
      schema: {
        tags,
        summary: "Let this one call run, as it was asked for or with other arguments",
        description,
        params: ApprovalParams,
        body: AllowOnce,
        response,
      },
    },
    async (request) => {
      const { principal, params, body } = request;
      const allowance = { once: body.arguments ?? null };
      return ok(request, showApproval(await deps.allowAny(principal, params.id, allowance)));
    },
  );

  app.post(
    "/approvals/:id/allow-always",
    {
      config,
      schema: {
        tags,
        summary: "Let this call run, and from now on all such calls of this version of the tool",
        description,
        params: ApprovalParams,
        body: AllowAlways,
        response,
      },
    },
    async (request) => {
      const { argument, pattern } = request.body;
      const always = pattern === undefined ? null : { argument, pattern };
      const { principal, params } = request;
      return ok(request, showApproval(await deps.allowAny(principal, params.id, { always })));
    },
  );

  app.post(
    "/approvals/:id/deny",
    {
      config,
      schema: {
        tags,
        summary: "Deny the call, with a reason for the agent",
        params: ApprovalParams,
        body: Deny,
        response,
      },
    },
    async (request) => {
      const { principal, params, body } = request;
      const { tenantId } = requireTenant(principal, "approvals.answer");
      const reason = (await deps.coverReason(tenantId, body.reason)) ?? null;
      return ok(request, showApproval(await deps.denyAny(principal, params.id, reason)));
    },
  );
}
