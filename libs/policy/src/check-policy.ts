import type { PolicyDocument, PolicyEntry, PolicyList } from "@bulkhead/core";
import { BUILT_IN_GROUPS, isMcpGroup, NATIVE_TOOLS, PROFILES } from "./groups.ts";
import { AHEAD_PREFIX, entryFor, GROUP_PREFIX, WILDCARD, type PolicyTool } from "./match-entry.ts";

export interface PolicyRemark {
  /** Of the entry in the document, as in `agents.alpha.deny.0`. */
  path: string;
  message: string;
}

export interface CheckedPolicy {
  /** Names that mean nothing: the document isn't taken with them. */
  faults: PolicyRemark[];
  /** Entries that mean no tool now. */
  warnings: PolicyRemark[];
}

/** Reads every entry against the tools of all agents. Names of agents, providers and callers' groups may come later. */
export function checkPolicy(policy: PolicyDocument, tools: readonly PolicyTool[]): CheckedPolicy {
  const known = [...tools, ...Array.from(NATIVE_TOOLS, (name): PolicyTool => ({ name }))];
  const names = namesOf(known);
  const faults = [...faultsOfGroups(policy), ...faultsOfProfiles(policy)];
  const warnings: PolicyRemark[] = [];
  const isIdle = idleEntries(policy, known, names);
  for (const { path, entries, inGroup } of listsOf(policy))
    for (const [index, entry] of entries.entries()) {
      const message = faultOf(policy, names, entry, inGroup);
      if (message !== null) faults.push({ path: `${path}.${index}`, message });
      else if (isIdle(entry))
        warnings.push({ path: `${path}.${index}`, message: `"${entry}" means no tool that is there` });
    }
  return { faults, warnings };
}

/** All that an entry may call a tool by. */
const namesOf = (tools: readonly PolicyTool[]): Set<string> =>
  new Set(tools.flatMap(({ name, alias }) => (alias ? [name, alias] : [name])));

/** As names of tools, so that they can stand behind `group:`. */
const GROUP_NAME = /^[a-z][a-z0-9_-]{0,63}$/;
/** What a tool can be called, or the beginning of it; also by a name for models. */
const AHEAD = /^[a-zA-Z0-9_-]{1,64}\*?$/;

function faultsOfGroups({ groups = {} }: PolicyDocument): PolicyRemark[] {
  return Object.keys(groups).flatMap((name) => {
    const path = `groups.${name}`;
    if (BUILT_IN_GROUPS.has(name) || name === "mcp")
      return [{ path, message: `"${name}" is a group of the product's own` }];
    if (GROUP_NAME.test(name)) return [];
    return [{ path, message: "must be a lower-case letter, then letters, digits, _ and -, 64 at most" }];
  });
}

function faultsOfProfiles({ profile, byProvider = {} }: PolicyDocument): PolicyRemark[] {
  const named = [
    { path: "profile", name: profile },
    ...Object.entries(byProvider).map(([provider, of]) => ({
      path: `byProvider.${provider}.profile`,
      name: of.profile,
    })),
  ];
  return named.flatMap(({ path, name }) =>
    name === undefined || PROFILES.has(name)
      ? []
      : [{ path, message: `"${name}" is no profile; there are ${[...PROFILES.keys()].join(", ")}` }],
  );
}

function faultOf(
  { groups = {} }: PolicyDocument,
  names: ReadonlySet<string>,
  entry: PolicyEntry,
  inGroup: boolean,
): string | null {
  if (entry.startsWith(AHEAD_PREFIX))
    return AHEAD.test(entry.slice(AHEAD_PREFIX.length)) ? null : "names no tool that there could be";
  if (!entry.startsWith(GROUP_PREFIX)) {
    if (entry.endsWith(WILDCARD) || names.has(entry)) return null;
    return `there is no tool "${entry}"; write "${AHEAD_PREFIX}${entry}" to name it ahead`;
  }
  const group = entry.slice(GROUP_PREFIX.length);
  const isOwn = Object.hasOwn(groups, group);
  if (inGroup && isOwn) return `a group of your own can't hold another: "${group}"`;
  if (isOwn || BUILT_IN_GROUPS.has(group) || isMcpGroup(group)) return null;
  return `there is no group "${group}"; there are ${[...BUILT_IN_GROUPS.keys(), ...Object.keys(groups)].slice(0, GROUPS_TOLD_MAX).join(", ")}`;
}

/** So many groups are told to who names one that isn't there. */
const GROUPS_TOLD_MAX = 30;

/** Whether an entry means none of the tools; each is looked for once, however often it stands in the document. */
function idleEntries(
  { groups }: PolicyDocument,
  tools: readonly PolicyTool[],
  names: ReadonlySet<string>,
): (entry: PolicyEntry) => boolean {
  const sorted = [...names].toSorted();
  const known = new Map<PolicyEntry, boolean>();
  const meansOne = (entry: PolicyEntry): boolean => {
    if (entry.startsWith(AHEAD_PREFIX) || names.has(entry)) return true;
    if (entry.startsWith(GROUP_PREFIX)) {
      const list = [entry];
      return tools.some((tool) => entryFor(list, tool, groups) !== null);
    }
    return beginsOne(sorted, entry.slice(0, -WILDCARD.length));
  };
  return (entry) => {
    const before = known.get(entry);
    if (before !== undefined) return before;
    const isIdle = !meansOne(entry);
    known.set(entry, isIdle);
    return isIdle;
  };
}

/** Whether a name begins so: the first one that is not before it does, or none. */
function beginsOne(sorted: readonly string[], beginning: string): boolean {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? "") < beginning) low = middle + 1;
    else high = middle;
  }
  return sorted[low]?.startsWith(beginning) ?? false;
}

interface List {
  path: string;
  entries: readonly PolicyEntry[];
  /** Whether it says what a group of the tenant's own holds. */
  inGroup: boolean;
}

/** Every list of a document, with its place. */
export function listsOf(policy: PolicyDocument): List[] {
  const list = (entries: PolicyList, ...path: string[]): List[] =>
    entries === undefined ? [] : [{ path: path.join("."), entries, inGroup: path[0] === "groups" }];
  const each = <T>(record: Readonly<Record<string, T>> | undefined, lists: (name: string, of: T) => List[]) =>
    Object.entries(record ?? {}).flatMap(([name, of]) => lists(name, of));
  return [
    ...list(policy.allow, "allow"),
    ...list(policy.deny, "deny"),
    ...list(policy.alsoAllow, "alsoAllow"),
    ...each(policy.byProvider, (name, { allow }) => list(allow, "byProvider", name, "allow")),
    ...each(policy.agents, (id, { allow, deny, alsoAllow, byProvider }) => [
      ...list(allow, "agents", id, "allow"),
      ...list(deny, "agents", id, "deny"),
      ...list(alsoAllow, "agents", id, "alsoAllow"),
      ...each(byProvider, (name, of) => list(of.allow, "agents", id, "byProvider", name, "allow")),
    ]),
    ...each(policy.groupAllow, (name, entries) => list(entries, "groupAllow", name)),
    ...each(policy.groups, (name, entries) => list(entries, "groups", name)),
    ...list(policy.subagents?.deny, "subagents", "deny"),
    ...list(policy.subagents?.leafDeny, "subagents", "leafDeny"),
    ...list(policy.forbid, "forbid"),
  ];
}
