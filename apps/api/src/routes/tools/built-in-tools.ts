import { BuiltInToolList } from "@bulkhead/contracts";
import {
  isConfigured,
  SEARCH_SERVICE,
  type CapabilityName,
  type ConfigStore,
  type ProvidedTool,
  type TenantStore,
  type ToolHints,
} from "@bulkhead/core";
import { isSeen } from "@bulkhead/policy";
import { requireTenant } from "@bulkhead/tenants";
import { NO_ENGINE, whyMissing } from "@bulkhead/tools/built-in";
import { ok } from "../../edge/envelope.ts";
import { answers, type ApiScope } from "../../edge/route-schema.ts";

export interface BuiltInToolDeps {
  builtIns: readonly ProvidedTool[];
  hasEngine: (capability: CapabilityName) => boolean;
  tenants: Pick<TenantStore, "find">;
  configServices: Pick<ConfigStore, "outlines">;
  /** Whether tenants have a search engine without naming one. */
  hasSearch: boolean;
}

/** The tools that come with the platform, with what each needs. */
export function builtInToolRoutes(app: ApiScope, deps: BuiltInToolDeps): void {
  const { builtIns, hasEngine } = deps;
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
      const seen = builtIns.filter((tool) => isSeen(principal, {}, tool));
      const unready = await whyUnready(deps, principal.tenantId);
      const tools = seen.map((tool) =>
        present(tool, whyMissing(tool, hasEngine) ?? unready.get(tool.capability ?? tool.name) ?? null),
      );
      return ok(request, { tools, nextCursor: null });
    },
  );
}

const SHELL_OFF = "The tenant's settings turn commands off (shell.engine).";

/** Why this tenant can't use what it has turned off or not set up yet, by a capability or a tool's name. */
async function whyUnready(
  { tenants, configServices, hasSearch }: BuiltInToolDeps,
  tenantId: string,
): Promise<ReadonlyMap<string, string>> {
  const [tenant, services] = await Promise.all([
    tenants.find(tenantId),
    configServices.outlines(tenantId, [SEARCH_SERVICE]),
  ]);
  const why = new Map<string, string>();
  if (tenant?.settings.shell.engine === "off") why.set("shell", SHELL_OFF);
  const [search] = services;
  if (!hasSearch && !(search && isConfigured(search, search.entries))) why.set("web_search", NO_ENGINE);
  return why;
}

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
