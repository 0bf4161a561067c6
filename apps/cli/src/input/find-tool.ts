import { BulkheadError, type Bulkhead, type BuiltInTool, type Tool } from "@bulkhead/client";

/** What a call of this name or id runs: the tenant's tool, else the one that comes with the platform. */
export type FoundTool = { isBuiltIn: false; tool: Tool } | { isBuiltIn: true; tool: BuiltInTool };

export async function findTool(client: Bulkhead, ref: string): Promise<FoundTool> {
  try {
    return { isBuiltIn: false, tool: await client.tools.get(ref) };
  } catch (error) {
    if (!(error instanceof BulkheadError) || error.code !== "tool.not_found") throw error;
    for await (const tool of client.tools.builtIn()) if (tool.name === ref) return { isBuiltIn: true, tool };
    throw error;
  }
}
