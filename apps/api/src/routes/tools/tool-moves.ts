import { requireTenant } from "@bulkhead/tenants";
import { Tool } from "@bulkhead/contracts";
import { ok } from "../../edge/envelope.ts";
import { IfMatch, readIfMatch, tagAnswer } from "../../edge/entity-tags.ts";
import { answers, ToolParams, type ApiScope } from "../../edge/route-schema.ts";
import type { Tools } from "./wire-tools.ts";

export type ToolMoveDeps = Pick<Tools, "moveTool" | "showTool">;

const tags = ["custom-tools"];

/** The moves of a tool between serving and not. */
export function toolMoveRoutes(app: ApiScope, { moveTool, showTool }: ToolMoveDeps): void {
  const moves = [
    { move: "enable", summary: "Make a disabled tool active" },
    { move: "disable", summary: "Take an active tool out of service" },
  ] as const;
  for (const { move, summary } of moves) {
    app.post(
      `/custom-tools/:id/${move}`,
      {
        config: { action: "tools.write" },
        schema: { tags, summary, params: ToolParams, headers: IfMatch, response: answers({ 200: Tool }) },
      },
      async (request, reply) => {
        const principal = requireTenant(request.principal, "tools.write");
        const seen = readIfMatch(request.headers["if-match"]);
        const tool = await moveTool(principal, request.params.id, move, seen);
        const shown = await showTool(tool);
        tagAnswer(reply, tool, shown);
        return ok(request, shown);
      },
    );
  }
}
