import { requireTenant } from "@bulkhead/tenants";
import { AskerHeaders, RunCodeCall, ToolResult } from "@bulkhead/contracts";
import { type Clock, type RateLimiter, type TenantPrincipal, compact } from "@bulkhead/core";
import { nextExecutionId, PLAIN_CALL, takeSessionCall, type NewCall } from "@bulkhead/executions";
import { requireScriptPermissions, type MetaToolDeps } from "@bulkhead/agents";
import { checkLimits } from "@bulkhead/tools";
import type { z } from "zod";
import { answers, type ApiScope } from "../../edge/route-schema.ts";
import { callOriginOf } from "../../edge/call-origin.ts";
import { readNullsAsAbsent } from "./meta-tool-body.ts";
import type { Tools } from "../tools/wire-tools.ts";
import type { Calls } from "../executions/wire-executions.ts";

export type RunCodeDeps = Pick<Tools, "checkDraft"> &
  Pick<Calls, "submitDryRun" | "answerSync"> & {
    metaToolGate: Pick<MetaToolDeps["metaToolGate"], "refuseBlocked">;
    rateLimiter: Pick<RateLimiter, "take">;
    clock: Clock;
  };

type ScriptDeps = Omit<RunCodeDeps, "answerSync">;

/** A script takes any object. */
const PARAMETERS = { type: "object" };

/**
 * `run_code`: a script that is not stored, with no more permissions than a model's tool has that nobody reviewed, and an agent's
 * with none and no service. What it calls with `utils.callTool` is checked, counted and recorded as the caller's own call of that
 * tool would be, and an agent's script reaches nothing that a person has to confirm. The tenant's policy may block an agent's
 * script, be it by a rule for its code.
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
        headers: AskerHeaders,
        body: RunCodeCall,
        response: answers({ 200: ToolResult }),
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "executions.run");
      const call = await prepareScript(deps, principal, request.body, {
        ...callOriginOf(request),
        source: "meta_tool",
      });
      return deps.answerSync(request, reply, call);
    },
  );
}

/** Checks a script and makes the call of it. Throws what a tool's code and permissions would, `tool.blocked` and `session.rate_limited`. */
export async function prepareScript(
  deps: ScriptDeps,
  principal: TenantPrincipal,
  { context, ...call }: z.output<typeof RunCodeCall>,
  origin: Pick<NewCall, "source" | "client" | "traceId" | "traceparent">,
  executionId = nextExecutionId(deps.clock),
) {
  deps.metaToolGate.refuseBlocked(principal, { name: "run_code", arguments: call });
  const { code, arguments: args, permissions, required_config_services: required } = call;
  const services = required.map(({ name }) => name);
  requireScriptPermissions(principal, { permissions, services });
  const asked = { permissions, outputSchema: null, services };
  const script = { ...asked, code, language: "javascript", parameters: PARAMETERS } as const;
  const { code: runs, warnings } = await deps.checkDraft(principal, script);
  const run = {
    ...PLAIN_CALL,
    executionId,
    parameters: PARAMETERS,
    applyDefaults: false,
    inlineTool: {
      ...asked,
      code: runs,
      limits: checkLimits({}, principal),
      allowedHosts: permissions.includes("network") ? null : [],
    },
    toolName: "run_code",
    arguments: args,
    context: compact(context),
    ...origin,
  };
  await takeSessionCall(deps.rateLimiter, principal, run.context);
  const key = { tenantId: principal.tenantId, executionId };
  return { key, submit: () => deps.submitDryRun(principal, run), testMode: false, byModel: true, warnings };
}
