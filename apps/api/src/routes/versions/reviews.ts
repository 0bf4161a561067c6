import { requireApprover } from "@bulkhead/tenants";
import { DecideVersion, Tool } from "@bulkhead/contracts";
import { ok } from "../../edge/envelope.ts";
import { IfMatch, readIfMatch, tagAnswer } from "../../edge/entity-tags.ts";
import { answers, ToolParams, VersionParams, type ApiScope } from "../../edge/route-schema.ts";
import type { Tools } from "../tools/wire-tools.ts";

export type ReviewRouteDeps = Pick<Tools, "decideVersion" | "showTool">;

const tags = ["custom-tools"];
const config = { action: "tools.approve" } as const;
const response = answers({ 200: Tool });

const DECISIONS = [
  {
    word: "approve",
    to: "approved",
    ofTool: "Approve what waits of a tool: the tool itself, or its newer version, which runs from now on",
    ofVersion: "Approve this version, if it waits; it runs from now on",
  },
  {
    word: "reject",
    to: "rejected",
    ofTool: "Refuse what waits of a tool; it stays for audit, and a version that serves goes on",
    ofVersion: "Refuse this version, if it waits; it never runs",
  },
] as const;

/** People approve or reject tools and versions that wait. */
export function reviewRoutes(app: ApiScope, { decideVersion, showTool }: ReviewRouteDeps): void {
  for (const { word, to, ofTool, ofVersion } of DECISIONS) {
    app.post(
      `/custom-tools/:id/${word}`,
      {
        config,
        schema: {
          tags,
          summary: ofTool,
          params: ToolParams,
          headers: IfMatch,
          body: DecideVersion,
          response,
        },
      },
      async (request, reply) => {
        const principal = requireApprover(request.principal, "tools.approve");
        const seen = readIfMatch(request.headers["if-match"]);
        const decision = { to, seen, contentHash: request.body?.contentHash };
        const tool = await decideVersion(principal, request.params.id, decision);
        tagAnswer(reply, tool);
        return ok(request, await showTool(tool));
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
          body: DecideVersion,
          response,
        },
      },
      async (request, reply) => {
        const principal = requireApprover(request.principal, "tools.approve");
        const seen = readIfMatch(request.headers["if-match"]);
        const { id, n } = request.params;
        const decision = { to, seen, version: n, contentHash: request.body?.contentHash };
        const tool = await decideVersion(principal, id, decision);
        tagAnswer(reply, tool);
        return ok(request, await showTool(tool));
      },
    );
  }
}
