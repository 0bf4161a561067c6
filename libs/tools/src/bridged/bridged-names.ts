import { createHash } from "node:crypto";
import { TOOL_ALIAS, TOOL_NAME, TOOL_NAME_LENGTH_MAX, type McpServer, type Tool } from "@bulkhead/core";
import { toToolName } from "../packages/tool-name.ts";
import { reservedReason } from "../registry/reserved-names.ts";

const HASH_CHARS = 8;
/** A name of which a hash makes the end. */
const HASHED_CHARS_MAX = TOOL_NAME_LENGTH_MAX - HASH_CHARS - 1;

type Names = Pick<Tool, "name" | "alias">;

/** All that a server's tool could be called, the best first; the last ones of a kind end with a hash of the server's words. */
export interface WantedNames {
  names: string[];
  aliases: string[];
}

/**
 * The names of a server's tool: behind the server's prefix its own name, for models (the alias) as it is and for people in
 * snake case. Where that is too long, is reserved, or has other characters, a hash ends it, which is the same each time.
 */
export function namesWanted({ name: server, toolPrefix }: Named, tool: string): WantedNames {
  const prefix = toolPrefix ?? `mcp__${server}__`;
  const hash = createHash("sha256")
    .update(JSON.stringify([server, tool]))
    .digest("hex")
    .slice(0, HASH_CHARS);
  const hashed = (whole: string): string => `${whole.slice(0, HASHED_CHARS_MAX)}_${hash}`;
  const name = `${asName(prefix)}${toToolName(tool) ?? "tool"}`;
  const alias = `${prefix}${tool}`;
  const plainAlias = alias.replaceAll(/[^a-zA-Z0-9_-]/g, "_");
  return {
    names: [name, hashed(name)].filter((one) => isFree(one) && TOOL_NAME.test(one)),
    aliases: [alias, hashed(plainAlias)].filter((one) => isFree(one) && TOOL_ALIAS.test(one)),
  };
}

type Named = Pick<McpServer, "name" | "toolPrefix">;

const isFree = (name: string): boolean =>
  name.length <= TOOL_NAME_LENGTH_MAX && reservedReason(name) === null;

/** A prefix that begins a name; one that is no name's beginning is written as one. */
function asName(prefix: string): string {
  if (prefix === "" || TOOL_NAME.test(prefix)) return prefix;
  const name = toToolName(prefix);
  return name === null ? "mcp_" : `${name}_`;
}

/** The best of the names that nobody has, which are taken by this; null where all are others'. */
export function takeNames({ names, aliases }: WantedNames, taken: Set<string>): Names | null {
  const name = names.find((one) => !taken.has(one));
  if (name === undefined) return null;
  const alias = aliases[0] === name ? null : (aliases.find((one) => one !== name && !taken.has(one)) ?? null);
  taken.add(name);
  if (alias !== null) taken.add(alias);
  return { name, alias };
}
