import { AcceptedExecution, ExecuteTool, timeBeyondDelay, ToolResult } from "@bulkhead/contracts";
import { compact, type Clock } from "@bulkhead/core";
import { nextExecutionId, PLAIN_CALL } from "@bulkhead/executions";
import { requireOperation, requireTenant } from "@bulkhead/tenants";
import { callOriginOf } from "../../edge/call-origin.ts";
import { idempotencyKeyOf } from "../../edge/idempotency-key.ts";
import { answers, ToolParams, type ApiScope } from "../../edge/route-schema.ts";
import { requireStored, SubmissionHeaders } from "./submission.ts";
import type { Calls } from "./wire-executions.ts";

export type ExecuteRouteDeps = Pick<Calls, "submitCall" | "answerExecution"> & {
  clock: Clock;
};

const tags = ["custom-tools"];

/** Runs stored tools, and those that come with the platform. */
export function executeRoute(app: ApiScope, { submitCall, answerExecution, clock }: ExecuteRouteDeps): void {
  app.post(
    "/custom-tools/:id/execute",
    {
      config: { action: "executions.run", operation: "execute", needsRedis: true },
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
      const { mode, context, version, callback, store = true, ...call } = request.body;
      requireStored(principal, [store]);
      if (mode === "stream") requireOperation(principal, "stream");
      // No scope names these: where a run's end is sent, and that nothing of it is kept, is for keys to say.
      if (callback !== undefined) requireOperation(principal, null, "callback");
      if (!store) requireOperation(principal, null, "store");
      const executionId = nextExecutionId(clock);
      const once = idempotencyKeyOf(request.headers["idempotency-key"], principal, {
        tool: ref,
        ...request.body,
      });
      const submit = () =>
        submitCall(principal, {
          ...PLAIN_CALL,
          source: "rest",
          ...call,
          ref,
          version,
          callback,
          store,
          executionId,
          timeoutMs: timeBeyondDelay(request.body),
          context: compact(context),
          ...callOriginOf(request),
          once,
        });
      const key = { tenantId, executionId };
      return answerExecution(request, reply, mode, { key, submit, testMode: false });
    },
  );
}
