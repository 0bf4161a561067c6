import { BuiltInToolList } from "@bulkhead/contracts";
import {
  IMAGE_SERVICE,
  isConfigured,
  SEARCH_SERVICE,
  SPEECH_SERVICE,
  type CapabilityName,
  type ConfigStore,
  type ProvidedTool,
  type ServiceKind,
  type TenantStore,
  type ToolHints,
  type WorkerDirectory,
} from "@bulkhead/core";
import { isSeen } from "@bulkhead/policy";
import { requireTenant } from "@bulkhead/tenants";
import { NO_ENGINE, NO_IMAGE_SERVICE, NO_SPEECH_SERVICE, whyMissing } from "@bulkhead/tools/built-in";
import { ok } from "../../edge/envelope.ts";
import { answers, type ApiScope } from "../../edge/route-schema.ts";

export interface BuiltInToolDeps {
  builtIns: readonly ProvidedTool[];
  hasEngine: (capability: CapabilityName) => boolean;
  tenants: Pick<TenantStore, "find">;
  configServices: Pick<ConfigStore, "outlines">;
  /** Whether tenants have a search engine without naming one. */
  hasSearch: boolean;
  /** Workers tell what else tenants have without naming it. */
  directory: Pick<WorkerDirectory, "list">;
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

/** What a tool asks that is a service of the tenant's, or else an engine of the workers'; else why there is neither. */
const BY_SERVICE = {
  image: { service: IMAGE_SERVICE, kind: "image", engine: "image_model", missing: NO_IMAGE_SERVICE },
  tts: { service: SPEECH_SERVICE, kind: "speech", engine: "speech", missing: NO_SPEECH_SERVICE },
} as const satisfies Record<string, { service: string; kind: ServiceKind; engine: string; missing: string }>;

/** Why this tenant can't use what it has turned off or not set up yet, by a capability or a tool's name. */
async function whyUnready(
  { tenants, configServices, hasSearch, directory }: BuiltInToolDeps,
  tenantId: string,
): Promise<ReadonlyMap<string, string>> {
  const [tenant, services] = await Promise.all([
    tenants.find(tenantId),
    configServices.outlines(tenantId, [SEARCH_SERVICE, IMAGE_SERVICE, SPEECH_SERVICE]),
  ]);
  const isSetUp = (name: string, kind?: ServiceKind): boolean =>
    services.some(
      (one) => one.name === name && (kind ?? one.kind) === one.kind && isConfigured(one, one.entries),
    );
  const why = new Map<string, string>();
  if (tenant?.settings.shell.engine === "off") why.set("shell", SHELL_OFF);
  if (!hasSearch && !isSetUp(SEARCH_SERVICE)) why.set("web_search", NO_ENGINE);
  const unnamed = Object.entries(BY_SERVICE).filter(([, { service, kind }]) => !isSetUp(service, kind));
  const workers = unnamed.length === 0 ? [] : await directory.list();
  const found = workers.flatMap(({ engines }) => engines).filter(({ available }) => available);
  for (const [tool, { engine, missing }] of unnamed)
    if (!found.some((one) => one.engine === engine)) why.set(tool, missing);
  return why;
}

function present(tool: ProvidedTool, missing: string | null) {
  const { name, title, description, group, parameters, annotations, needs, letBy, onlyForKeys } = tool;
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
    ...(onlyForKeys && { onlyForKeys: [...onlyForKeys] }),
    engine,
  };
}
