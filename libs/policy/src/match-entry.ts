import type { PolicyDocument, PolicyEntry } from "@bulkhead/core";
import { BUILT_IN_GROUPS } from "./groups.ts";

/** A tool as a policy sees it. */
export interface PolicyTool {
  name: string;
  /** Its name for models, which means it in an entry as much as its name does; null or unset: none. */
  alias?: string | null;
  /** Groups that the registry gives it, as in `mcp` and `mcp:<server>`; unset: none. */
  groups?: readonly string[];
}

export const GROUP_PREFIX = "group:";
export const AHEAD_PREFIX = "?";
export const WILDCARD = "*";

export type OwnGroups = PolicyDocument["groups"];

/** An entry of a list that means this tool, by its name or alias before all others; null where none does. */
export function entryFor(
  entries: readonly PolicyEntry[],
  tool: PolicyTool,
  groups: OwnGroups,
): PolicyEntry | null {
  const { names, beginnings, inGroups } = sorted(entries);
  const { name, alias } = tool;
  return (
    names.get(name) ??
    (alias ? names.get(alias) : undefined) ??
    beginnings.find(([beginning]) => name.startsWith(beginning) || alias?.startsWith(beginning))?.[1] ??
    inGroups.find(([group]) => isInGroup(group, tool, groups))?.[1] ??
    null
  );
}

/** The entries of a list by what they mean, each with how it is written. */
interface Sorted {
  names: ReadonlyMap<string, PolicyEntry>;
  beginnings: readonly (readonly [beginning: string, entry: PolicyEntry])[];
  inGroups: readonly (readonly [group: string, entry: PolicyEntry])[];
}

/** Lists are never changed in place, and one document is asked about thousands of tools. */
const SORTED = new WeakMap<readonly PolicyEntry[], Sorted>();

function sorted(entries: readonly PolicyEntry[]): Sorted {
  const known = SORTED.get(entries);
  if (known) return known;
  const names = new Map<string, PolicyEntry>();
  const beginnings: [string, PolicyEntry][] = [];
  const inGroups: [string, PolicyEntry][] = [];
  for (const entry of entries) {
    const name = entry.startsWith(AHEAD_PREFIX) ? entry.slice(AHEAD_PREFIX.length) : entry;
    if (entry.startsWith(GROUP_PREFIX)) inGroups.push([entry.slice(GROUP_PREFIX.length), entry]);
    else if (name.endsWith(WILDCARD)) beginnings.push([name.slice(0, -WILDCARD.length), entry]);
    else names.set(name, entry);
  }
  const made = { names, beginnings, inGroups };
  SORTED.set(entries, made);
  return made;
}

/** A group of the tenant's own holds no other of its own, so this ends. */
function isInGroup(name: string, tool: PolicyTool, groups: OwnGroups): boolean {
  if (BUILT_IN_GROUPS.get(name)?.has(tool.name) || tool.groups?.includes(name)) return true;
  const own = groups !== undefined && Object.hasOwn(groups, name) ? groups[name] : undefined;
  return own !== undefined && entryFor(own, tool, undefined) !== null;
}
