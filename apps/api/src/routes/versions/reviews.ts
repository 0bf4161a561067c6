import { requireApprover, type coverReason } from "@bulkhead/tenants";
import { ApproveVersion, RejectVersion, Tool } from "@bulkhead/contracts";
import type { z } from "zod";
import { ok } from "../../edge/envelope.ts";
import { IfMatch, readIfMatch, tagAnswer } from "../../edge/entity-tags.ts";
import { answers, ToolParams, VersionParams, type ApiScope } from "../../edge/route-schema.ts";
import type { Given } from "../../given.ts";
import type { Tools } from "../tools/wire-tools.ts";

export type ReviewRouteDeps = Pick<Tools, "decideVersion" | "showTool"> & {
  coverReason: Given<typeof coverReason>;
};

const tags = ["custom-tools"];
const config = { action: "tools.approve" } as const;
const response = answers({ 200: Tool });

const DECISIONS = [
  {
    word: "approve",
    to: "approved",
    body: ApproveVersion,
    ofTool: "Approve what waits of a tool: the tool itself, or its newer version, which runs from now on",
    ofVersion: "Approve this version, if it waits; it runs from now on",
  },
  {
    word: "reject",
    to: "rejected",
    body: RejectVersion,
    ofTool: "Refuse what waits of a tool; it stays for audit, and a version that serves goes on",
    ofVersion: "Refuse this version, if it waits; it never runs",
  },
] as const;

/** People approve or reject tools and versions that wait. */
export function reviewRoutes(
  app: ApiScope,
  { decideVersion, showTool, coverReason: cover }: ReviewRouteDeps,
): void {
  for (const { word, to, body, ofTool, ofVersion } of DECISIONS) {
    const decisionOf = async (tenantId: string, said: z.infer<typeof RejectVersion>) => ({
      to,
      contentHash: said?.contentHash,
      reason: await cover(tenantId, said?.reason),
    });
    app.post(
      `/custom-tools/:id/${word}`,
      {
        config,
        schema: {
          tags,
          summary: ofTool,
          params: ToolParams,
          headers: IfMatch,
          body,
          response,
        },
      },
      async (request, reply) => {
        const principal = requireApprover(request.principal, "tools.approve");
        const seen = readIfMatch(request.headers["if-match"]);
        const decision = { ...(await decisionOf(principal.tenantId, request.body)), seen };
        const tool = await decideVersion(principal, request.params.id, decision);
        const shown = await showTool(tool);
        tagAnswer(reply, tool, shown);
        return ok(request, shown);
      },
    );
    app.post(
      `/custom-tools/:id/versions/:n/${word}`,
      {
        config,
        schema: {
          tags,
          summary: ofVersion,
          params: VersionParams,
          headers: IfMatch,
          body,
          response,
        },
      },
      async (request, reply) => {
        const principal = requireApprover(request.principal, "tools.approve");
        const seen = readIfMatch(request.headers["if-match"]);
        const { id, n } = request.params;
        const decision = { ...(await decisionOf(principal.tenantId, request.body)), seen, version: n };
        const tool = await decideVersion(principal, id, decision);
        const shown = await showTool(tool);
        tagAnswer(reply, tool, shown);
        return ok(request, shown);
      },
    );
  }
}
