import { passedOn } from "@bulkhead/agents";
import { AcceptedExecution, CallToolCall, ToolResult } from "@bulkhead/contracts";
import { type Clock, compact } from "@bulkhead/core";
import { nextExecutionId, PLAIN_CALL } from "@bulkhead/executions";
import { requireTenant } from "@bulkhead/tenants";
import { callOriginOf } from "../../edge/call-origin.ts";
import { idempotencyKeyOf } from "../../edge/idempotency-key.ts";
import { answers, type ApiScope } from "../../edge/route-schema.ts";
import { SubmissionHeaders } from "../executions/submission.ts";
import type { Calls } from "../executions/wire-executions.ts";
import { readNullsAsAbsent } from "./meta-tool-body.ts";
import { summaryOf } from "./meta-tools.ts";

export type CallToolDeps = Pick<Calls, "submitCall" | "answerExecution"> & { clock: Clock };

/** `call_tool`: runs a tool that was found, and waits for its result as `…/execute` does. */
export function callToolRoute(app: ApiScope, { submitCall, answerExecution, clock }: CallToolDeps): void {
  app.post(
    "/meta-tools/call_tool",
    {
      config: { action: "executions.run", needsRedis: true },
      preValidation: readNullsAsAbsent("call_tool"),
      schema: {
        tags: ["meta-tools"],
        summary: summaryOf("call_tool"),
        headers: SubmissionHeaders,
        body: CallToolCall,
        response: answers({ 200: ToolResult, 202: AcceptedExecution }),
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "executions.run");
      const { context, ...call } = passedOn(request.body);
      const executionId = nextExecutionId(clock);
      const asked = { metaTool: "call_tool", ...request.body };
      const once = idempotencyKeyOf(request.headers["idempotency-key"], principal, asked);
      const submit = () =>
        submitCall(principal, {
          ...PLAIN_CALL,
          ...call,
          source: "meta_tool",
          version: undefined,
          callback: undefined,
          executionId,
          context: compact(context),
          ...callOriginOf(request),
          once,
        });
      const key = { tenantId: principal.tenantId, executionId };
      return answerExecution(request, reply, "sync", { key, submit, testMode: false, byModel: true });
    },
  );
}
