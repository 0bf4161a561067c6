import { BuiltInToolList } from "@bulkhead/contracts";
import {
  IMAGE_SERVICE,
  isChannelKind,
  isConfigured,
  SEARCH_SERVICE,
  SPEECH_SERVICE,
  SERVICE_KINDS,
  type CapabilityName,
  type ConfigStore,
  type ProvidedTool,
  type ServiceKind,
  type ServiceOutline,
  type TenantStore,
  type ToolHints,
} from "@bulkhead/core";
import { builtInPoliciesOf, withServices } from "@bulkhead/agents";
import { isSeen } from "@bulkhead/policy";
import { requireTenant } from "@bulkhead/tenants";
import { NO_ENGINE, NO_IMAGE_SERVICE, NO_SPEECH_SERVICE, whyMissing } from "@bulkhead/tools/built-in";
import { ok } from "../../edge/envelope.ts";
import { answers, type ApiScope } from "../../edge/route-schema.ts";

export interface BuiltInToolDeps {
  builtIns: readonly ProvidedTool[];
  hasEngine: (capability: CapabilityName) => boolean;
  tenants: Pick<TenantStore, "find">;
  configServices: Pick<ConfigStore, "outlines" | "outlinesOf">;
  /** Whether tenants have a search engine without naming one. */
  hasSearch: boolean;
  /** Whether workers have what tenants need not name themselves. */
  workersHave: (engine: string) => boolean;
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
      const policies = builtInPoliciesOf(principal, {});
      const { why, outside } = await whyUnready(deps, principal.tenantId);
      const tools = seen.map((tool) =>
        present(
          withServices(tool, outside, policies),
          whyMissing(tool, hasEngine) ?? why.get(tool.capability ?? tool.name) ?? null,
        ),
      );
      return ok(request, { tools, nextCursor: null });
    },
  );
}

const SHELL_OFF = "The tenant's settings turn commands off (shell.engine).";
const NO_DATABASE =
  "No database is set up: enter a service of the kind postgres under Secrets in the console, or by POST /api/v1/config-services, with the fields it asks for.";
const NO_CHANNEL = `No channel is set up: enter a service of the kind ${SERVICE_KINDS.filter(isChannelKind).join(", ")} under Secrets in the console, or by POST /api/v1/config-services, with the fields it asks for.`;

/** What a tool asks that is a service of the tenant's, or else an engine of the workers'; else why there is neither. */
const BY_SERVICE = {
  image: { service: IMAGE_SERVICE, kind: "image", engine: "image_model", missing: NO_IMAGE_SERVICE },
  tts: { service: SPEECH_SERVICE, kind: "speech", engine: "speech", missing: NO_SPEECH_SERVICE },
} as const satisfies Record<string, { service: string; kind: ServiceKind; engine: string; missing: string }>;

/** Why this tenant can't use what it has turned off or not set up yet, by a capability or a tool's name; and the services by which it reaches what is outside. */
async function whyUnready(
  { tenants, configServices, hasSearch, workersHave }: BuiltInToolDeps,
  tenantId: string,
): Promise<{ why: ReadonlyMap<string, string>; outside: readonly ServiceOutline[] }> {
  const [tenant, named, outside] = await Promise.all([
    tenants.find(tenantId),
    configServices.outlines(tenantId, [SEARCH_SERVICE, IMAGE_SERVICE, SPEECH_SERVICE]),
    configServices.outlinesOf(tenantId, OUTSIDE_KINDS),
  ]);
  const isReady = (service: ServiceOutline): boolean => isConfigured(service, service.entries);
  const isSetUp = (name: string, kind?: ServiceKind): boolean =>
    named.some((one) => one.name === name && (kind ?? one.kind) === one.kind && isReady(one));
  const why = new Map<string, string>();
  if (tenant?.settings.shell.engine === "off") why.set("shell", SHELL_OFF);
  if (!hasSearch && !isSetUp(SEARCH_SERVICE)) why.set("web_search", NO_ENGINE);
  for (const [tool, { service, kind, engine, missing }] of Object.entries(BY_SERVICE))
    if (!isSetUp(service, kind) && !workersHave(engine)) why.set(tool, missing);
  const ready = outside.filter(isReady);
  if (!ready.some(({ kind }) => kind === "postgres")) why.set("db", NO_DATABASE);
  if (!ready.some(({ kind }) => isChannelKind(kind))) why.set("email", NO_CHANNEL);
  return { why, outside };
}

/** The kinds of services by which tools reach what is outside. */
const OUTSIDE_KINDS = SERVICE_KINDS.filter((kind) => kind === "postgres" || isChannelKind(kind));

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
