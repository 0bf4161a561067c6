import { BuiltInToolList } from "@bulkhead/contracts";
import type { CapabilityName, ProvidedTool, ToolHints } from "@bulkhead/core";
import { isSeen } from "@bulkhead/policy";
import { requireTenant } from "@bulkhead/tenants";
import { whyMissing } from "@bulkhead/tools/built-in";
import { ok } from "../../edge/envelope.ts";
import { answers, type ApiScope } from "../../edge/route-schema.ts";

export interface BuiltInToolDeps {
  builtIns: readonly ProvidedTool[];
  hasEngine: (capability: CapabilityName) => boolean;
}

/** The tools that come with the platform, with what each needs. */
export function builtInToolRoutes(app: ApiScope, { builtIns, hasEngine }: BuiltInToolDeps): void {
  app.get(
    "/built-in-tools",
    {
      config: { action: "tools.read" },
      schema: {
        tags: ["custom-tools"],
        summary:
          "The tools that come with the platform: schema, group, permission, and whether each works here",
        response: answers({ 200: BuiltInToolList }),
      },
    },
    async (request) => {
      const principal = requireTenant(request.principal, "tools.read");
      const tools = builtIns
        .filter((tool) => isSeen(principal, {}, tool))
        .map((tool) => present(tool, hasEngine));
      return ok(request, { tools, nextCursor: null });
    },
  );
}

function present(tool: ProvidedTool, hasEngine: BuiltInToolDeps["hasEngine"]) {
  const { name, title, description, group, parameters, annotations, needs, letBy } = tool;
  const missing = whyMissing(tool, hasEngine);
  const engine = { available: missing === null, missing };
  const hints = annotations as Partial<Record<keyof ToolHints, boolean>>;
  return {
    name,
    title,
    description,
    group,
    parameters,
    annotations: hints,
    permission: needs,
    letBy,
    engine,
  };
}
