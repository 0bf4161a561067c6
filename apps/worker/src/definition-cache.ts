import type { ToolDefinition, ToolStore } from "@bulkhead/domain";
import { LRUCache } from "lru-cache";

/** How many versions are kept, and how much of their code and schemas together. */
const VERSIONS_MAX = 2_000;
const BYTES_MAX = 64 * 1024 * 1024;

/** Reads the definition of a version once: versions never change. */
export function cachedDefinitions(tools: Pick<ToolStore, "findVersion">) {
  const cache = new LRUCache<string, ToolDefinition>({
    max: VERSIONS_MAX,
    maxSize: BYTES_MAX,
    sizeCalculation: ({ code, parameters }) => code.length + JSON.stringify(parameters).length,
  });
  return async (tenantId: string, toolId: string, version: number): Promise<ToolDefinition | null> => {
    const key = `${tenantId}/${toolId}@${version}`;
    const known = cache.get(key);
    if (known) return known;
    const found = await tools.findVersion(tenantId, toolId, version);
    if (found) cache.set(key, found);
    return found;
  };
}
