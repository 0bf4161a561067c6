import type { BuiltInToolName, ToolProvider } from "@bulkhead/domain";
import { PageReader } from "./page-reader.ts";
import { WEB_FETCH, webFetch } from "./web-fetch.ts";

/** The tools that come with the platform. Processes are started with the first pages; nothing is left when `close` has resolved. */
export function openBuiltInTools(): ToolProvider {
  const reader = new PageReader();
  const tools = {
    web_fetch: { shown: WEB_FETCH, call: webFetch },
  } satisfies Record<BuiltInToolName, unknown>;
  const shown = Object.values(tools).map((tool) => tool.shown);
  return {
    listTools: () => shown,
    async callTool(name, args, call) {
      const tool = Object.entries(tools).find(([known]) => known === name)?.[1];
      if (tool === undefined)
        return { ok: false, code: "tool_not_found", message: `There is no tool "${name}".` };
      return tool.call(reader, args, call);
    },
    close: () => reader.close(),
  };
}
