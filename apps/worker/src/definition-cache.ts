import { toRunnable, type RunnableTool, type ToolStore } from "@bulkhead/core";
import { LRUCache } from "lru-cache";

/** How many versions are kept, and how much of their code and schemas together. */
const VERSIONS_MAX = 2_000;
const BYTES_MAX = 64 * 1024 * 1024;

/** Reads a version as it runs once: versions never change. */
export function cachedDefinitions(tools: Pick<ToolStore, "findVersion">) {
  const cache = new LRUCache<string, RunnableTool>({
    max: VERSIONS_MAX,
    maxSize: BYTES_MAX,
    sizeCalculation: ({ code, outputSchema, approvalCode = "", shell = null }) =>
      code.length + JSON.stringify([outputSchema, shell]).length + approvalCode.length,
  });
  return async (tenantId: string, toolId: string, version: number): Promise<RunnableTool | null> => {
    const key = `${tenantId}/${toolId}@${version}`;
    const known = cache.get(key);
    if (known) return known;
    const found = await tools.findVersion(tenantId, toolId, version);
    if (!found) return null;
    const runnable = toRunnable(found);
    cache.set(key, runnable);
    return runnable;
  };
}
