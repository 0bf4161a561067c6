import { RevocableCache } from "@bulkhead/process";
import {
  lookupKey,
  lookupTags,
  scopeOfAgent,
  type SignalBus,
  type ToolCatalogue,
  type ToolScope,
  type ToolStore,
} from "@bulkhead/core";
import {
  LISTED_TOOLS_MAX,
  toCallable,
  toListable,
  type CallableTool,
  type ListableTool,
  type ListSight,
} from "@bulkhead/executions";

const TOOLS = { entriesMax: 2_000, ttlMs: 5_000 };
const LISTS = { entriesMax: 500, ttlMs: 2_000 };
/** UTF-16 units of JSON and keys that all tools weigh together, and all lists; one that weighs more alone is not kept. */
const TOOLS_CHARS_MAX = 16 * 1024 * 1024;
const LISTS_CHARS_MAX = 16 * 1024 * 1024;
/** An entry weighs so much however short it is. */
const ENTRY_CHARS = 512;

export interface CallableCacheDeps {
  tools: Pick<ToolStore, "find" | "listActive">;
  catalogue: Pick<ToolCatalogue, "names">;
  bus: Pick<SignalBus, "connected" | "subscribe">;
}

/**
 * Finds the tools that tools call; answers from memory while nobody changed them. Whether a tool is still active is asked
 * again where its run is recorded, so that a word that was missed costs nothing.
 */
export function openCallableCache({ tools, catalogue, bus }: CallableCacheDeps) {
  const found = new RevocableCache<CallableTool>({
    ...TOOLS,
    trusted: () => bus.connected,
    weight: {
      max: TOOLS_CHARS_MAX,
      of: (key, tool) => key.length + JSON.stringify(tool).length + ENTRY_CHARS,
    },
  });
  const lists = new RevocableCache<readonly ListableTool[]>({
    ...LISTS,
    trusted: () => bus.connected,
    weight: {
      max: LISTS_CHARS_MAX,
      of: (_key, listed) =>
        listed.reduce((sum, { name, json }) => sum + name.length + json.length, 0) +
        (listed.length + 1) * ENTRY_CHARS,
    },
  });
  /** Of all tools, not only of the newest: an agent may be given none but the oldest. */
  const seenBy = async (
    sight: NonNullable<ListSight>,
    tenantId: string,
    scope: ToolScope,
  ): Promise<string[]> => {
    const named = await catalogue.names(tenantId, scope);
    return named.filter((tool) => sight.sees(tool)).map(({ id }) => id);
  };
  const caches = { tool: found, tools: lists, key: null, tenant: null };
  const unsubscribe = bus.subscribe((signal) => {
    if (signal.type === "forget") caches[signal.kind]?.revoke(signal.id);
  });
  return {
    findTool: (tenantId: string, scope: ToolScope, ref: string): Promise<CallableTool | null> =>
      found.get(lookupKey(tenantId, scope, ref), async () => {
        const tool = await tools.find(tenantId, ref, scope);
        return tool && { value: toCallable(tool), tags: lookupTags(tool, scope) };
      }),
    listActiveTools: async (
      tenantId: string,
      agentId: string | null,
      sight: ListSight,
    ): Promise<readonly ListableTool[]> => {
      const listed = await lists.get(JSON.stringify([tenantId, agentId, sight?.mark]), async () => {
        const scope = scopeOfAgent(agentId);
        const there = sight === null ? scope : { ...scope, only: await seenBy(sight, tenantId, scope) };
        const newest = await tools.listActive(tenantId, there, LISTED_TOOLS_MAX);
        return { value: newest.map(toListable), tags: [tenantId] };
      });
      return listed ?? [];
    },
    close: async (): Promise<void> => {
      unsubscribe();
      found.clear();
      lists.clear();
    },
  };
}
