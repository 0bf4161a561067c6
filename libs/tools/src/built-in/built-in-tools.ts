import type { BuiltInToolName, ToolProvider } from "@bulkhead/core";
import { BUILT_IN_TOOLS } from "./definitions.ts";
import { PageReader } from "./page-reader.ts";
import { webFetch } from "./web-fetch.ts";

/** The tools that come with the platform. Processes are started with the first pages; nothing is left when `close` has resolved. */
export function openBuiltInTools(): ToolProvider {
  const reader = new PageReader();
  const functions = { web_fetch: webFetch } satisfies Record<BuiltInToolName, unknown>;
  return {
    listTools: () => BUILT_IN_TOOLS,
    async callTool(name, args, call) {
      const tool = Object.entries(functions).find(([known]) => known === name)?.[1];
      if (tool === undefined)
        return { ok: false, code: "tool_not_found", message: `There is no tool "${name}".` };
      return tool(reader, args, call);
    },
    close: () => reader.close(),
  };
}
