import { BuiltInToolList } from "@bulkhead/contracts";
import type { CapabilityName, ProvidedTool, ShellEngineName, TenantStore, ToolHints } from "@bulkhead/core";
import { isSeen } from "@bulkhead/policy";
import { requireTenant } from "@bulkhead/tenants";
import { whyMissing } from "@bulkhead/tools/built-in";
import { ok } from "../../edge/envelope.ts";
import { answers, type ApiScope } from "../../edge/route-schema.ts";

export interface BuiltInToolDeps {
  builtIns: readonly ProvidedTool[];
  hasEngine: (capability: CapabilityName) => boolean;
  tenants: Pick<TenantStore, "find">;
}

/** The tools that come with the platform, with what each needs. */
export function builtInToolRoutes(app: ApiScope, { builtIns, hasEngine, tenants }: BuiltInToolDeps): void {
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
      const engine = (await tenants.find(principal.tenantId))?.settings.shell.engine;
      const tools = builtIns
        .filter((tool) => isSeen(principal, {}, tool))
        .map((tool) => present(tool, whyMissing(tool, hasEngine) ?? whyOff(tool, engine)));
      return ok(request, { tools, nextCursor: null });
    },
  );
}

const whyOff = ({ capability }: ProvidedTool, engine: ShellEngineName | undefined): string | null =>
  capability === "shell" && engine === "off"
    ? "The tenant's settings turn commands off (shell.engine)."
    : null;

function present(tool: ProvidedTool, missing: string | null) {
  const { name, title, description, group, parameters, annotations, needs, letBy } = tool;
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
