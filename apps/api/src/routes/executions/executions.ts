import { requireTenant } from "@bulkhead/tenants";
import {
  AttemptList,
  Deleted,
  Execution,
  ExecutionPage,
  ExecutionQuery,
  FollowQuery,
  ResumeHeaders,
  resumePoint,
} from "@bulkhead/contracts";
import { compareEventIds, accentedSearchWords, type ExecutionStore, compact } from "@bulkhead/core";
import { readFilter, seeExecution, type ToolFilterDeps } from "@bulkhead/executions";
import { ok } from "../../edge/envelope.ts";
import { answers, noContent, ExecutionParams, type ApiScope } from "../../edge/route-schema.ts";
import { presentAttempts, presentExecution, presentSummary } from "./present-execution.ts";
import type { Calls } from "./wire-executions.ts";

export type ExecutionRouteDeps = Pick<Calls, "cancelExecution" | "deleteExecution" | "streamExecution"> &
  ToolFilterDeps & {
    executions: Pick<ExecutionStore, "find" | "list" | "listAttempts">;
  };

const tags = ["executions"];

/** Reads, follows, cancels and deletes executions. */
export function executionRoutes(app: ApiScope, deps: ExecutionRouteDeps): void {
  app.get(
    "/executions",
    {
      config: { action: "executions.read", isLarge: true },
      schema: {
        tags,
        summary: "List executions, newest first",
        description:
          "Without their arguments and results, of which the bytes are told: `GET …/{id}` has both. All filters that are given must hold. A page looks at a bounded number of executions: where few of many match it may end early, even empty, and says so by `scanned`; go on with its `nextCursor` until that is null.",
        querystring: ExecutionQuery,
        response: answers({ 200: ExecutionPage }),
      },
    },
    async (request) => {
      const principal = requireTenant(request.principal, "executions.read");
      const { logs, limit, cursor, ...asked } = request.query;
      const filter = await readFilter(deps, principal, asked);
      if (filter === null) return ok(request, { executions: [], nextCursor: null });
      const logWords = logs === undefined ? undefined : accentedSearchWords(logs);
      const page = { ...filter, limit, ...compact({ logWords, before: cursor }) };
      const { executions, next, scanned } = await deps.executions.list(principal.tenantId, page);
      return ok(request, {
        executions: executions.map(presentSummary),
        nextCursor: next,
        scanned: scanned ?? undefined,
      });
    },
  );

  app.get(
    "/executions/:id",
    {
      config: { action: "executions.read", operation: "read", isLarge: true },
      schema: {
        tags,
        summary: "Read an execution",
        params: ExecutionParams,
        response: answers({ 200: Execution }),
      },
    },
    async (request) => {
      const principal = requireTenant(request.principal, "executions.read");
      const key = { tenantId: principal.tenantId, executionId: request.params.id };
      return ok(request, presentExecution(await seeExecution(deps, principal, key)));
    },
  );

  app.get(
    "/executions/:id/attempts",
    {
      config: { action: "executions.read" },
      schema: {
        tags,
        summary: "List the tries of an execution, oldest first",
        params: ExecutionParams,
        response: answers({ 200: AttemptList }),
      },
    },
    async (request) => {
      const principal = requireTenant(request.principal, "executions.read");
      const key = { tenantId: principal.tenantId, executionId: request.params.id };
      const execution = await seeExecution(deps, principal, key);
      const attempts = presentAttempts(execution, await deps.executions.listAttempts(key));
      return ok(request, { attempts, nextCursor: null });
    },
  );

  app.get(
    "/executions/:id/events",
    {
      config: { action: "executions.read", operation: "stream", takesTokenInQuery: true },
      schema: {
        tags,
        summary:
          "Follow an execution as server-sent events; resume with Last-Event-ID (204: there is no more)",
        description:
          "`execution.queued`, `.awaiting_approval`, `.started`, `.retrying`, `.log` and `.progress`, then its end (`.succeeded`, `.failed`, `.timed_out`, `.cancelled`, `.denied` or `.lost`, with the execution), after which the stream closes. Also of one that ended long ago, for as long as its log is kept. Where events can't be told any more, `execution.gap` says between which ids (`from`, `to`).",
        params: ExecutionParams,
        headers: ResumeHeaders,
        querystring: FollowQuery,
        response: { ...answers({}, true), 204: noContent("There are no more events; do not come back.") },
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "executions.read");
      const key = { tenantId: principal.tenantId, executionId: request.params.id };
      const after = resumePoint(request) ?? null;
      const execution = await seeExecution(deps, principal, key);
      // An EventSource reconnects after every end; 204 is how it is told that there is no more (HTML, 9.2.3).
      const { endEventId } = execution;
      if (after !== null && endEventId !== null && compareEventIds(after, endEventId) >= 0)
        return reply.status(204).send();
      return deps.streamExecution(reply, key, after);
    },
  );

  app.post(
    "/executions/:id/cancel",
    {
      config: { action: "executions.run" },
      schema: {
        tags,
        summary: "Cancel an execution",
        params: ExecutionParams,
        response: answers({ 200: Execution }),
      },
    },
    async (request) => {
      const principal = requireTenant(request.principal, "executions.run");
      const key = { tenantId: principal.tenantId, executionId: request.params.id };
      const cancelled = await deps.cancelExecution(principal, key);
      return ok(request, presentExecution(cancelled));
    },
  );

  app.delete(
    "/executions/:id",
    {
      config: { action: "executions.delete" },
      schema: {
        tags,
        summary: "Delete the data of an ended execution",
        description:
          "Its arguments, context, result, errors, events, approval, callback and deliveries go, and it is answered as one that does not exist. What it used stays in the usage, and the audit log keeps who did what; executions that its tool called are deleted one by one. An `Idempotency-Key` that stands for it is answered with 409 `idempotency.execution_deleted` for the rest of its 24 hours. One that goes on is 409 `execution.not_ended`: cancel it first.",
        params: ExecutionParams,
        response: answers({ 200: Deleted }),
      },
    },
    async (request) => {
      const principal = requireTenant(request.principal, "executions.delete");
      await deps.deleteExecution(principal, {
        tenantId: principal.tenantId,
        executionId: request.params.id,
      });
      return ok(request, { deleted: true as const });
    },
  );
}
