import type { MemoryToolName, ProvidedTool, ToolHints } from "@bulkhead/core";
import { MEMORY_TOOL_PARAMETERS } from "./schema.ts";

const READS: ToolHints = { readOnlyHint: true, openWorldHint: false };

const define = (name: MemoryToolName, title: string, description: string): ProvidedTool => ({
  name,
  title,
  description,
  group: "memory",
  parameters: MEMORY_TOOL_PARAMETERS[name],
  annotations: READS,
  needs: "filesystem",
  letBy: "policy",
  capability: "memory",
});

/** As models are told of them. */
export const MEMORY_TOOLS: Readonly<Record<MemoryToolName, ProvidedTool>> = {
  memory_search: define(
    "memory_search",
    "Search the memory",
    `Finds what was written down before in MEMORY.md and memory/*.md, by words and by meaning: { results: [{ path, startLine, ` +
      `endLine, text, score, scope }], mode, note, notSearched, cut }. Ask it before you answer from what you believe to know of ` +
      `people, decisions and earlier work; write with write_file to memory/*.md what should be found later.`,
  ),
  memory_get: define(
    "memory_get",
    "Read from the memory",
    `Reads a file of the memory, or lines of it, such as those around a result of memory_search: { path, startLine, endLine, ` +
      `totalLines, truncated, text, scope }. The user's own file goes before the agent's and the tenant's of the same path.`,
  ),
};
