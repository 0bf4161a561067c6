import { requireTenant } from "@bulkhead/tenants";
import { RunCodeCall, ToolResult } from "@bulkhead/contracts";
import { EXECUTION_TIMEOUT_MS_DEFAULT } from "@bulkhead/core";
import {
  nextExecutionId,
  PLAIN_CALL,
  submitDryRun,
  takeSessionCalls,
  type SubmitDeps,
} from "@bulkhead/executions";
import type { MetaToolDeps } from "@bulkhead/agents";
import { checkDefinition, checkLimits, compileCode } from "@bulkhead/tools";
import { answerSync, type AnswerDeps } from "../executions/answer-execution.ts";
import { answers, type ApiScope } from "../../edge/route-schema.ts";
import { tracePlaceOf } from "../../edge/trace-id.ts";
import { compact } from "../../edge/compact.ts";
import { readNullsAsAbsent } from "./meta-tool-body.ts";

export type RunCodeDeps = SubmitDeps &
  AnswerDeps &
  Pick<MetaToolDeps, "schemas" | "stripper" | "metaToolGate">;

/** A script takes any object. */
const PARAMETERS = { type: "object" };

const NOTHING_ASKED = { permissions: [], outputSchema: null, services: [] };

/**
 * `run_code`: a script that is not stored, without a permission of its own. What it calls with `utils.callTool` is checked,
 * counted and recorded as the caller's own call of that tool would be, and an agent's script reaches nothing that a person
 * has to confirm. The tenant's policy may block an agent's script, be it by a rule for its code.
 */
export function runCodeRoute(app: ApiScope, deps: RunCodeDeps): void {
  app.post(
    "/meta-tools/run_code",
    {
      config: { action: "executions.run", needsRedis: true },
      preValidation: readNullsAsAbsent("run_code"),
      schema: {
        tags: ["meta-tools"],
        summary: "Run one script that calls several tools in one sandbox run",
        body: RunCodeCall,
        response: answers({ 200: ToolResult }),
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "executions.run");
      const { context, ...call } = request.body;
      deps.metaToolGate.refuseBlocked(principal, { name: "run_code", arguments: call });
      const { code, arguments: args } = call;
      const written = { code, language: "javascript" } as const;
      const compiled = await compileCode(deps, principal, written);
      const script = { ...NOTHING_ASKED, ...written, compiled, parameters: PARAMETERS };
      const warnings = await checkDefinition(deps.schemas, principal, script);
      const executionId = nextExecutionId(deps.clock);
      const run = {
        ...PLAIN_CALL,
        executionId,
        parameters: PARAMETERS,
        applyDefaults: false,
        inlineTool: {
          ...NOTHING_ASKED,
          code: compiled ?? code,
          limits: checkLimits({}, principal),
          allowedHosts: [],
        },
        toolName: "run_code",
        arguments: args,
        context: compact(context),
        timeoutMs: EXECUTION_TIMEOUT_MS_DEFAULT,
        ...tracePlaceOf(request),
      };
      const { tenantId, limits } = principal;
      if (context.sessionKey !== undefined)
        await takeSessionCalls(
          deps.rateLimiter,
          tenantId,
          context.sessionKey,
          limits.sessionCallsPerMinute,
          1,
        );
      return answerSync(deps, request, reply, {
        key: { tenantId, executionId },
        submit: () => submitDryRun(deps, principal, run),
        testMode: false,
        warnings,
      });
    },
  );
}
