import { requireTenant } from "@bulkhead/tenants";
import {
  AskerHeaders,
  AwaitingApproval,
  ChangedTool,
  CreateToolCall,
  DeleteCustomToolCall,
  DeletionAnswer,
} from "@bulkhead/contracts";
import type { Waiting } from "@bulkhead/agents";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ok } from "../../edge/envelope.ts";
import { answers, type ApiScope } from "../../edge/route-schema.ts";
import { approvalPath } from "@bulkhead/executions";
import { readNullsAsAbsent } from "./meta-tool-body.ts";
import { summaryOf } from "./meta-tools.ts";
import type { MetaTools } from "./wire-meta-tools.ts";

export type ConfirmedRouteDeps = Pick<MetaTools, "callCreateTool" | "callDeleteTool">;

const tags = ["meta-tools"];
const config = { action: "metaTools.change" } as const;

/** The meta-tools on which a person has the last word: an agent's call may be answered 202, with the place to ask. */
export function confirmedMetaToolRoutes(
  app: ApiScope,
  { callCreateTool, callDeleteTool }: ConfirmedRouteDeps,
): void {
  app.post(
    "/meta-tools/create_tool",
    {
      config,
      preValidation: readNullsAsAbsent("create_tool"),
      schema: {
        tags,
        summary: summaryOf("create_tool"),
        headers: AskerHeaders,
        body: CreateToolCall,
        response: answers({ 201: ChangedTool, 202: AwaitingApproval }),
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, config.action);
      const done = await callCreateTool(principal, request.body);
      if ("approvalId" in done) return answerWaiting(request, reply, done);
      void reply.status(201).header("location", `/api/v1/custom-tools/${done.toolId}`);
      return ok(request, done.answer);
    },
  );

  app.post(
    "/meta-tools/delete_custom_tool",
    {
      config,
      preValidation: readNullsAsAbsent("delete_custom_tool"),
      schema: {
        tags,
        summary: summaryOf("delete_custom_tool"),
        headers: AskerHeaders,
        body: DeleteCustomToolCall,
        response: answers({ 200: DeletionAnswer, 202: AwaitingApproval }),
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, config.action);
      const done = await callDeleteTool(principal, request.body);
      if ("approvalId" in done) return answerWaiting(request, reply, done);
      return ok(request, done.answer);
    },
  );
}

function answerWaiting(request: FastifyRequest, reply: FastifyReply, { approvalId }: Waiting) {
  const self = approvalPath(approvalId);
  void reply.status(202).header("location", self);
  return ok(request, { approvalId, status: "awaiting_approval" as const, links: { self } });
}
