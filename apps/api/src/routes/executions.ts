import { requireTenant } from "@bulkhead/access";
import { Execution, ExecutionPage, ExecutionQuery } from "@bulkhead/contracts";
import { compareEventIds, EVENT_ID, TOOL_ID, type ExecutionStore, type ToolStore } from "@bulkhead/domain";
import { cancelExecution, noSuchExecution, type EndDeps } from "@bulkhead/execution";
import { z } from "zod";
import { streamExecution, type AnswerDeps } from "../answer-execution.ts";
import { ok } from "../http/envelope.ts";
import { answers, ExecutionParams, type ApiScope } from "../http/route-schema.ts";
import { compact } from "../present/compact.ts";
import { presentExecution } from "../present/present-execution.ts";

export type ExecutionRouteDeps = EndDeps &
  Pick<AnswerDeps, "stream" | "stopping"> & {
    executions: Pick<ExecutionStore, "find" | "list">;
    tools: Pick<ToolStore, "find">;
  };

const tags = ["executions"];

const StreamHeaders = z.looseObject({
  "last-event-id": z
    .string()
    .regex(EVENT_ID, "must be the id of an event that this stream sent, such as 1-4")
    .optional()
    .describe("Go on from behind this event."),
});

/** Reads, follows and cancels executions. */
export function executionRoutes(app: ApiScope, deps: ExecutionRouteDeps): void {
  app.get(
    "/executions",
    {
      config: { action: "executions.read" },
      schema: {
        tags,
        summary: "List executions, newest first",
        querystring: ExecutionQuery,
        response: answers({ 200: ExecutionPage }),
      },
    },
    async (request) => {
      const { tenantId } = requireTenant(request.principal, "executions.read");
      const { status, tool, limit, cursor } = request.query;
      const page = compact({ status, ...(await toolFilter(deps, tenantId, tool)), limit, before: cursor });
      const executions = await deps.executions.list(tenantId, page);
      const nextCursor = executions.length === limit ? (executions.at(-1)?.executionId ?? null) : null;
      return ok(request, { executions: executions.map(presentExecution), nextCursor });
    },
  );

  app.get(
    "/executions/:id",
    {
      config: { action: "executions.read" },
      schema: {
        tags,
        summary: "Read an execution",
        params: ExecutionParams,
        response: answers({ 200: Execution }),
      },
    },
    async (request) => {
      const { tenantId } = requireTenant(request.principal, "executions.read");
      const execution = await deps.executions.find({ tenantId, executionId: request.params.id });
      if (!execution) throw noSuchExecution();
      return ok(request, presentExecution(execution));
    },
  );

  app.get(
    "/executions/:id/events",
    {
      config: { action: "executions.read" },
      schema: {
        tags,
        summary:
          "Follow an execution as server-sent events; resume with Last-Event-ID (204: there is no more)",
        params: ExecutionParams,
        headers: StreamHeaders,
        response: answers({}, true),
      },
    },
    async (request, reply) => {
      const { tenantId } = requireTenant(request.principal, "executions.read");
      const key = { tenantId, executionId: request.params.id };
      const after = request.headers["last-event-id"] ?? null;
      const execution = await deps.executions.find(key);
      if (!execution) throw noSuchExecution();
      // An EventSource reconnects after every end; 204 is how it is told that there is no more (HTML, 9.2.3).
      const { endEventId } = execution;
      if (after !== null && endEventId !== null && compareEventIds(after, endEventId) >= 0)
        return reply.status(204).send();
      return streamExecution(deps, reply, key, after);
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
      const { tenantId } = requireTenant(request.principal, "executions.run");
      const cancelled = await cancelExecution(deps, { tenantId, executionId: request.params.id });
      return ok(request, presentExecution(cancelled));
    },
  );
}

/** By id where there is such a tool: its executions are indexed by it, and include those from before a new name. */
async function toolFilter(
  { tools }: Pick<ExecutionRouteDeps, "tools">,
  tenantId: string,
  ref: string | undefined,
) {
  if (ref === undefined || TOOL_ID.test(ref)) return { toolId: ref };
  const tool = await tools.find(tenantId, ref);
  return tool ? { toolId: tool.id } : { toolName: ref };
}
