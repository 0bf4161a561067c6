import { BUILT_IN_TOOL_NAMES, META_TOOL_NAMES, TOOL_ID } from "@bulkhead/core";

/** Names that stand in the routes where a tool's name could stand too. */
const PATH_WORDS = [
  "stats",
  "pending",
  "active",
  "test",
  "versions",
  "search",
  "import",
  "export",
  "definitions",
];

/** An alias could be it, and no object's key may be. */
const NO_KEY = "__proto__";
/** MCP has this one beside the meta-tools. */
const OF_MCP = "get_execution";

const RESERVED = new Set<string>([NO_KEY, OF_MCP, ...PATH_WORDS, ...META_TOOL_NAMES, ...BUILT_IN_TOOL_NAMES]);

/** Why a tool may not have this name, or this alias; null when it may. */
export function reservedReason(name: string): string | null {
  if (RESERVED.has(name)) return `"${name}" is a reserved word; choose another name`;
  if (TOOL_ID.test(name)) return "a name must not look like a tool's id";
  return null;
}
