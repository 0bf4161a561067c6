import { RevocableCache } from "@bulkhead/cache";
import type { ListedTool, SignalBus, Tool, ToolStore } from "@bulkhead/domain";
import { LISTED_TOOLS_MAX } from "@bulkhead/execution";
import { LRUCache } from "lru-cache";

const TOOLS = { entriesMax: 2_000, ttlMs: 5_000 };
const LISTS = { max: 500, ttl: 2_000 };

export interface CallableCacheDeps {
  tools: Pick<ToolStore, "find" | "listActive">;
  bus: Pick<SignalBus, "connected" | "subscribe">;
}

/**
 * Finds the tools that tools call; answers from memory while nobody changed them. Whether a tool is still active is asked
 * again where its run is recorded, so that a word that was missed costs nothing.
 */
export function openCallableCache({ tools, bus }: CallableCacheDeps) {
  const found = new RevocableCache<Tool>({ ...TOOLS, trusted: () => bus.connected });
  const lists = new LRUCache<string, readonly ListedTool[]>(LISTS);
  const unsubscribe = bus.subscribe((signal) => {
    if (signal.type === "forget" && signal.kind === "tool") found.revoke(signal.id);
  });
  return {
    findTool: (tenantId: string, ref: string): Promise<Tool | null> =>
      found.get(`${tenantId}/${ref}`, async () => {
        const tool = await tools.find(tenantId, ref);
        return tool && { value: tool, tags: [tool.id] };
      }),
    listActiveTools: async (tenantId: string): Promise<readonly ListedTool[]> => {
      const known = lists.get(tenantId);
      if (known) return known;
      const listed = await tools.listActive(tenantId, LISTED_TOOLS_MAX);
      lists.set(tenantId, listed);
      return listed;
    },
    close: async (): Promise<void> => unsubscribe(),
  };
}
