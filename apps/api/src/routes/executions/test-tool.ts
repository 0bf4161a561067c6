import { AcceptedExecution, recordedOf, TestTool, ToolResult } from "@bulkhead/contracts";
import { servicesOf, type Clock, compact } from "@bulkhead/core";
import { nextExecutionId, PLAIN_CALL } from "@bulkhead/executions";
import { requireTenant } from "@bulkhead/tenants";
import { checkAllowedHosts, checkLimits } from "@bulkhead/tools";
import { callOriginOf } from "../../edge/call-origin.ts";
import { answers, type ApiScope } from "../../edge/route-schema.ts";
import type { Tools } from "../tools/wire-tools.ts";
import type { Calls } from "./wire-executions.ts";

export type TestToolDeps = Pick<Tools, "checkDraft"> &
  Pick<Calls, "submitDryRun" | "answerExecution"> & {
    clock: Clock;
  };

const tags = ["custom-tools"];

/** Runs tools that are only tried out. */
export function testToolRoute(
  app: ApiScope,
  { checkDraft, submitDryRun, answerExecution, clock }: TestToolDeps,
): void {
  app.post(
    "/custom-tools/test",
    {
      config: { action: "tools.write", needsRedis: true },
      schema: {
        tags,
        summary: "Run a tool in the real sandbox without storing it",
        body: TestTool,
        response: answers({ 200: ToolResult, 202: AcceptedExecution }),
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "tools.write");
      const {
        name,
        code = "",
        agentId,
        testArguments,
        outputSchema = null,
        store = true,
        applyDefaults = null,
        recorded,
        mode,
      } = request.body;
      const allowedHosts = checkAllowedHosts(request.body.allowedHosts ?? null);
      const services = servicesOf(request.body);
      const draft = compact({
        ...request.body,
        code,
        outputSchema,
        services,
        limits: compact(request.body.limits ?? {}),
      });
      const { shell, limits, warnings, ...runs } = await checkDraft(principal, draft);
      const executionId = nextExecutionId(clock);
      const inlineTool = {
        ...runs,
        ...(shell && { shell: recorded ? { ...shell, env: {} } : shell }),
        outputSchema,
        limits: checkLimits(limits, principal),
        allowedHosts,
        // A run that is answered by a recording is given no values of services, nor of variables.
        ...(recorded
          ? { services: [], rehearsal: { services, recorded: recordedOf(recorded) } }
          : { services }),
      };
      const dryRun = {
        ...PLAIN_CALL,
        source: "dry_run" as const,
        executionId,
        parameters: request.body.parameters,
        applyDefaults,
        inlineTool,
        toolName: name,
        store,
        arguments: testArguments,
        context: compact({ agentId }),
        ...callOriginOf(request),
      };
      return answerExecution(request, reply, mode, {
        key: { tenantId: principal.tenantId, executionId },
        submit: () => submitDryRun(principal, dryRun),
        testMode: true,
        warnings,
      });
    },
  );
}
