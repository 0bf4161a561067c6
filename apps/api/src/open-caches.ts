import { RevocableCache, SeenMarks } from "@bulkhead/process";
import type {
  ConfigStore,
  ProvidedTool,
  Signal,
  SignalBus,
  TenantPrincipal,
  Tool,
  ToldSignal,
  ToolCatalogue,
  ToolStore,
  ToolVersion,
} from "@bulkhead/core";
import { ToolDefinitions } from "@bulkhead/agents";
import { ToolLookup } from "./routes/tools/tool-lookup.ts";

/** Bounds how many keys and tools are remembered, and for how long without word of a change. */
const CACHE = { entriesMax: 10_000, ttlMs: 5_000 };
/** Bounds the old versions that calls name, and the UTF-16 units of their code and schemas together. */
const VERSION_CACHE = {
  entriesMax: 1_000,
  ttlMs: 60_000,
  // Versions never change, and their tool is looked up before them.
  trusted: () => true,
  weight: {
    max: 16 * 1024 * 1024,
    of: (_key: string, version: ToolVersion) => JSON.stringify(version).length,
  },
};

export interface CacheDeps {
  signals: SignalBus;
  tools: ToolStore;
  catalogue: ToolCatalogue;
  builtIns: readonly ProvidedTool[];
  configServices: Pick<ConfigStore, "outlinesOf">;
  report: (what: string, error: unknown) => void;
}

/** Opens the memory of keys, tools and definitions in this process, and the way to tell all processes of a change. */
export function openCaches({ signals, tools, catalogue, builtIns, configServices, report }: CacheDeps) {
  const trusted = () => signals.connected;
  const principals = new RevocableCache<TenantPrincipal>({ ...CACHE, trusted });
  const found = new RevocableCache<Tool>({ ...CACHE, trusted });
  const versions = new RevocableCache<ToolVersion>(VERSION_CACHE);
  const definitions = new ToolDefinitions({ catalogue, trusted, builtIns, configServices });
  const caches = { tool: found, tools: definitions, key: principals, tenant: principals };
  const hear = (signal: Signal): void => {
    if (signal.type === "forget") caches[signal.kind].revoke(signal.id);
  };
  const changes = new SeenMarks((tenantId) => {
    for (const cache of [found, definitions, principals]) cache.revoke(tenantId);
  });
  // This process hears of its own changes at once; the others within moments, or at the tenant's next request.
  const publish = async (signal: ToldSignal): Promise<void> => {
    hear(signal);
    await signals
      .publish(signal)
      .catch((error: unknown) => report("telling other processes of a change failed", error));
  };
  return {
    principals,
    definitions,
    toolLookup: new ToolLookup({ tools, found, versions, builtIns }),
    bus: { publish },
    changes,
    close: signals.subscribe(hear),
  };
}
