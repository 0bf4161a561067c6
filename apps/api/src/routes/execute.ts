import { requireTenant } from "@bulkhead/access";
import { AcceptedExecution, ExecuteTool, TestTool, ToolResult } from "@bulkhead/contracts";
import { EXECUTION_TIMEOUT_MS_DEFAULT, RUN_LIMITS_DEFAULT } from "@bulkhead/domain";
import { nextExecutionId, submitDryRun, submitExecution, type SubmitDeps } from "@bulkhead/execution";
import { Fault } from "@bulkhead/faults";
import { checkAllowedHosts, checkDefinition, type ToolDeps } from "@bulkhead/registry";
import type { IncomingHttpHeaders } from "node:http";
import { answerExecution, answerSync, type AnswerDeps } from "../answer-execution.ts";
import { answers, ToolParams, type ApiScope } from "../http/route-schema.ts";
import { traceIdOf } from "../http/trace-id.ts";
import { compact } from "../present/compact.ts";
import type { ToolLookup } from "../tool-lookup.ts";

export type ExecuteDeps = SubmitDeps & AnswerDeps & Pick<ToolDeps, "schemas"> & { toolLookup: ToolLookup };

const tags = ["custom-tools"];

/** Runs stored tools, and tools that are only tried out. */
export function executeRoutes(app: ApiScope, deps: ExecuteDeps): void {
  app.post(
    "/custom-tools/:id/execute",
    {
      config: { action: "executions.run" },
      schema: {
        tags,
        summary: "Run a tool: wait for its result, be answered at once, or stream it",
        params: ToolParams,
        body: ExecuteTool,
        response: answers({ 200: ToolResult, 202: AcceptedExecution }, true),
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "executions.run");
      refuseIdempotencyKey(request.headers);
      const tool = await deps.toolLookup.find(principal, request.params.id);
      const { arguments: args, mode, timeoutMs, context } = request.body;
      const executionId = nextExecutionId(deps.clock);
      const submission = {
        executionId,
        arguments: args,
        context: compact(context),
        timeoutMs,
        traceId: traceIdOf(request),
      };
      return answerExecution(deps, request, reply, mode, {
        key: { tenantId: principal.tenantId, executionId },
        submit: () => submitExecution(deps, principal, tool, submission),
        testMode: false,
      });
    },
  );

  app.post(
    "/custom-tools/test",
    {
      config: { action: "tools.write" },
      schema: {
        tags,
        summary: "Run a tool in the real sandbox without storing it",
        body: TestTool,
        response: answers({ 200: ToolResult }),
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "tools.write");
      const { name, code, permissions, limits = {}, testArguments } = request.body;
      const allowedHosts = checkAllowedHosts(request.body.allowedHosts ?? null);
      const parameters = request.body.parameters;
      await checkDefinition(deps.schemas, { code, parameters });
      const executionId = nextExecutionId(deps.clock);
      const dryRun = {
        executionId,
        toolName: name,
        parameters,
        inlineTool: {
          code,
          permissions,
          limits: { ...RUN_LIMITS_DEFAULT, ...compact(limits) },
          allowedHosts,
        },
        arguments: testArguments,
        context: {},
        timeoutMs: EXECUTION_TIMEOUT_MS_DEFAULT,
        traceId: traceIdOf(request),
      };
      return answerSync(deps, request, reply, {
        key: { tenantId: principal.tenantId, executionId },
        submit: () => submitDryRun(deps, principal, dryRun),
        testMode: true,
      });
    },
  );
}

/** Whoever sends one counts on it: to run the tool all the same would break what they were promised. */
function refuseIdempotencyKey(headers: IncomingHttpHeaders): void {
  if (headers["idempotency-key"] === undefined) return;
  throw new Fault("request.idempotency_unsupported", {
    detail: "Leave the header Idempotency-Key out; a repeated call runs the tool again.",
    errors: [{ path: "idempotency-key", message: "is not supported" }],
  });
}
