import { requireTenant } from "@bulkhead/tenants";
import {
  readCallback,
  type CallbackDeps,
  firstUse,
  nextExecutionId,
  PLAIN_CALL,
  submitDryRun,
  submitExecution,
  type SubmitDeps,
  type Submitted,
} from "@bulkhead/executions";
import {
  AcceptedExecution,
  ExecuteTool,
  IdempotencyKeyHeader,
  TestTool,
  timeBeyondDelay,
  ToolResult,
} from "@bulkhead/contracts";
import { EXECUTION_TIMEOUT_MS_DEFAULT, servicesOf, type ExecutionStore } from "@bulkhead/core";
import {
  checkAllowedHosts,
  checkDefinition,
  checkLimits,
  compileCode,
  definitionWarnings,
  type ToolDeps,
} from "@bulkhead/tools";
import { z } from "zod";
import { answerExecution, answerSync, type AnswerDeps } from "./answer-execution.ts";
import { idempotencyKeyOf } from "../../edge/idempotency-key.ts";
import { requireStored } from "./require-stored.ts";
import { answers, ToolParams, type ApiScope } from "../../edge/route-schema.ts";
import { tracePlaceOf } from "../../edge/trace-id.ts";
import { compact } from "../../edge/compact.ts";
import type { ToolLookup } from "../tools/tool-lookup.ts";

export type ExecuteDeps = SubmitDeps &
  CallbackDeps &
  AnswerDeps &
  Pick<ToolDeps, "schemas" | "stripper"> & {
    executions: Pick<ExecutionStore, "findByKey">;
    toolLookup: ToolLookup;
  };

const tags = ["custom-tools"];

export const SubmissionHeaders = z.looseObject({ "idempotency-key": IdempotencyKeyHeader });

/** Runs stored tools, and tools that are only tried out. */
export function executeRoutes(app: ApiScope, deps: ExecuteDeps): void {
  app.post(
    "/custom-tools/:id/execute",
    {
      config: { action: "executions.run", needsRedis: true },
      schema: {
        tags,
        summary: "Run a tool: wait for its result, be answered at once, or stream it",
        description:
          "By its id, or by its name: an agent's own tool of that name before the tenant's, and that before a built-in one (`web_fetch`), which takes no `version` and which an agent calls only where it is preapproved by its name or by a rule.",
        params: ToolParams,
        headers: SubmissionHeaders,
        body: ExecuteTool,
        response: answers({ 200: ToolResult, 202: AcceptedExecution }, true),
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "executions.run");
      const { tenantId } = principal;
      const { id: ref } = request.params;
      const {
        arguments: args,
        mode,
        priority,
        delayMs,
        context,
        callback,
        version,
        store = true,
      } = request.body;
      requireStored(principal, [store]);
      const executionId = nextExecutionId(deps.clock);
      const once = idempotencyKeyOf(request.headers["idempotency-key"], principal, {
        tool: ref,
        ...request.body,
      });
      const submit = async (): Promise<Submitted> => {
        // A repeat gets the first answer, also when its tool is gone meanwhile.
        const known = await firstUse(deps, tenantId, once);
        if (known !== null) return { executionId: known, repeated: true };
        const tool = await deps.toolLookup.findCallable(principal, ref, {
          version,
          agentId: context.agentId,
        });
        return submitExecution(deps, principal, tool, {
          ...PLAIN_CALL,
          executionId,
          timeoutMs: timeBeyondDelay(request.body),
          priority,
          delayMs,
          callback: callback ? await readCallback(deps, tenantId, callback) : null,
          store,
          arguments: args,
          context: compact(context),
          ...tracePlaceOf(request),
          once,
        });
      };
      const key = { tenantId, executionId };
      return answerExecution(deps, request, reply, mode, { key, submit, testMode: false });
    },
  );

  app.post(
    "/custom-tools/test",
    {
      config: { action: "tools.write", needsRedis: true },
      schema: {
        tags,
        summary: "Run a tool in the real sandbox without storing it",
        body: TestTool,
        response: answers({ 200: ToolResult }),
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "tools.write");
      const {
        name,
        code,
        permissions,
        agentId,
        limits = {},
        testArguments,
        outputSchema = null,
        store = true,
        applyDefaults = null,
      } = request.body;
      const allowedHosts = checkAllowedHosts(request.body.allowedHosts ?? null);
      const compiled = await compileCode(deps, principal, request.body);
      const services = servicesOf(request.body);
      const definition = { ...request.body, compiled, outputSchema, services };
      const codeWarnings = await checkDefinition(deps.schemas, principal, definition);
      const warnings = [...definitionWarnings(permissions), ...codeWarnings];
      const executionId = nextExecutionId(deps.clock);
      const inlineTool = {
        code: compiled ?? code,
        permissions,
        outputSchema,
        limits: checkLimits(compact(limits), principal),
        allowedHosts,
        services,
      };
      const dryRun = {
        ...PLAIN_CALL,
        executionId,
        parameters: request.body.parameters,
        applyDefaults,
        inlineTool,
        toolName: name,
        store,
        arguments: testArguments,
        context: compact({ agentId }),
        timeoutMs: EXECUTION_TIMEOUT_MS_DEFAULT,
        ...tracePlaceOf(request),
      };
      return answerSync(deps, request, reply, {
        key: { tenantId: principal.tenantId, executionId },
        submit: () => submitDryRun(deps, principal, dryRun),
        testMode: true,
        warnings,
      });
    },
  );
}
