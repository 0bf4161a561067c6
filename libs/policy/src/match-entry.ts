import type { McpToolRef, PolicyDocument, PolicyEntry } from "@bulkhead/core";
import { BUILT_IN_GROUPS, isMcpGroupOf } from "./groups.ts";

/** A tool of a tenant's as a policy sees it. */
interface StoredTool {
  name: string;
  /** Its name for models, which means it in an entry as much as its name does; null or unset: none. */
  alias?: string | null;
  /** The tool of somebody's MCP server that it stands for: it is in the groups `mcp` and `mcp:<server>`; null: none. */
  mcp: McpToolRef | null;
}

/** One that comes with the product has a name alone. What has an alias is a tenant's, and has to say its server. */
export type PolicyTool = StoredTool | { name: string; alias?: never; mcp?: never };

export const GROUP_PREFIX = "group:";
export const AHEAD_PREFIX = "?";
export const WILDCARD = "*";

export type OwnGroups = PolicyDocument["groups"];

/**
 * An entry of a list that means this tool, by its name or alias before all others; null where none does. It takes as long for
 * thousands of entries as for one: who writes a document doesn't decide how long a call of a tool takes.
 */
export function entryFor(
  entries: readonly PolicyEntry[],
  tool: PolicyTool,
  groups: OwnGroups,
): PolicyEntry | null {
  const { direct, grouped, inGroups } = sorted(entries, groups);
  return meaning(direct, tool) ?? meaning(grouped, tool) ?? groupOf(inGroups, tool) ?? null;
}

/** Entries by the names that they mean, each with how it is written. */
interface Index {
  names: Map<string, PolicyEntry>;
  beginnings: Map<string, PolicyEntry>;
  /** Of the beginnings, each once. */
  lengths: Set<number>;
}

interface Sorted {
  groups: OwnGroups;
  direct: Index;
  /** What the groups of the tenant's own hold, each with the group's entry. */
  grouped: Index;
  inGroups: Map<string, PolicyEntry>;
}

/** Lists are never changed in place, and one document is asked about thousands of tools. */
const SORTED = new WeakMap<readonly PolicyEntry[], Sorted>();

const emptyIndex = (): Index => ({ names: new Map(), beginnings: new Map(), lengths: new Set() });

function sorted(entries: readonly PolicyEntry[], groups: OwnGroups): Sorted {
  const known = SORTED.get(entries);
  if (known && known.groups === groups) return known;
  const made: Sorted = { groups, direct: emptyIndex(), grouped: emptyIndex(), inGroups: new Map() };
  for (const entry of new Set(entries)) {
    if (!entry.startsWith(GROUP_PREFIX)) {
      note(made.direct, entry, entry);
      continue;
    }
    const group = entry.slice(GROUP_PREFIX.length);
    made.inGroups.set(group, entry);
    // A group of the tenant's own holds no other of its own.
    for (const held of groups && Object.hasOwn(groups, group) ? (groups[group] ?? []) : [])
      if (!held.startsWith(GROUP_PREFIX)) note(made.grouped, held, entry);
      else if (!made.inGroups.has(held.slice(GROUP_PREFIX.length)))
        made.inGroups.set(held.slice(GROUP_PREFIX.length), entry);
  }
  SORTED.set(entries, made);
  return made;
}

function note({ names, beginnings, lengths }: Index, said: PolicyEntry, entry: PolicyEntry): void {
  const name = said.startsWith(AHEAD_PREFIX) ? said.slice(AHEAD_PREFIX.length) : said;
  if (!name.endsWith(WILDCARD)) {
    names.set(name, entry);
    return;
  }
  const beginning = name.slice(0, -WILDCARD.length);
  beginnings.set(beginning, entry);
  lengths.add(beginning.length);
}

function meaning(index: Index, { name, alias }: PolicyTool): PolicyEntry | undefined {
  const called = alias ? [name, alias] : [name];
  for (const word of called) {
    const entry = index.names.get(word);
    if (entry !== undefined) return entry;
  }
  for (const length of index.lengths)
    for (const word of called) {
      const entry = word.length < length ? undefined : index.beginnings.get(word.slice(0, length));
      if (entry !== undefined) return entry;
    }
  return undefined;
}

function groupOf(inGroups: Sorted["inGroups"], tool: PolicyTool): PolicyEntry | undefined {
  for (const [group, entry] of inGroups)
    // What somebody's server calls its tools brings them into no group of the product's.
    if (tool.mcp ? isMcpGroupOf(group, tool.mcp) : BUILT_IN_GROUPS.get(group)?.has(tool.name)) return entry;
  return undefined;
}
