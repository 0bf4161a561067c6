import { SUBAGENT_LEAF_DEPTH, type Asker, type PolicyDocument, type PolicyEntry } from "@bulkhead/core";
import { PROFILES, TRANSPARENT_TOOLS } from "./groups.ts";
import { entryFor, type PolicyTool } from "./match-entry.ts";

/** One list of a document, and what it does to the tools that it means. */
export interface PolicyStep {
  /** Where the list stands in the document, as in `agents.alpha.deny`. */
  path: string;
  /** `keep` takes away what it doesn't mean, `take` what it means; `add` brings back what it means. */
  does: "keep" | "take" | "add";
  entries: readonly PolicyEntry[];
  /** Its names are the product's own, as a profile's are: they mean no tool of somebody's MCP server. */
  ofProduct?: true;
}

export interface Verdict {
  allowed: boolean;
  /** The step that had the last word; null where none had any: everything is allowed. */
  path: string | null;
  /** The entry that meant the tool; null where a list took the tool away by not naming it. */
  entry: PolicyEntry | null;
}

/** The lists that concern an asker, in the order in which they are heard. */
export function stepsFor(policy: PolicyDocument, asker: Asker): PolicyStep[] {
  if (asker.byPerson) return [];
  const provider = own(policy.byProvider, asker.provider);
  const agent = own(policy.agents, asker.agentId);
  const agentsProvider = own(agent?.byProvider, asker.provider);
  const inProvider = `byProvider.${asker.provider}`;
  const inAgent = `agents.${asker.agentId}`;
  const depth = asker.subagentDepth ?? 0;
  const { subagents } = policy;
  return [
    profile("profile", policy.profile),
    profile(`${inProvider}.profile`, provider?.profile),
    step("keep", "allow", policy.allow),
    step("keep", `${inProvider}.allow`, provider?.allow),
    step("keep", `${inAgent}.allow`, agent?.allow),
    step("keep", `${inAgent}.${inProvider}.allow`, agentsProvider?.allow),
    step("keep", `groupAllow.${asker.group}`, own(policy.groupAllow, asker.group)),
    step("take", "deny", policy.deny),
    step("take", `${inAgent}.deny`, agent?.deny),
    step("add", "alsoAllow", policy.alsoAllow),
    step("add", `${inAgent}.alsoAllow`, agent?.alsoAllow),
    step("take", "subagents.deny", depth > 0 ? subagents?.deny : undefined),
    step("take", "subagents.leafDeny", depth >= SUBAGENT_LEAF_DEPTH ? subagents?.leafDeny : undefined),
    step("take", "forbid", policy.forbid),
  ].flat();
}

/**
 * Whether an asker gets a tool: first what each allowing list keeps, then what denying lists take,
 * then what `alsoAllow` brings back, then what subagents may not have, last what is forbidden.
 */
export function decide(policy: PolicyDocument, asker: Asker, tool: PolicyTool): Verdict {
  return decideBy(stepsFor(policy, asker), policy.groups, tool);
}

/** `decide`, for one who asks about many tools. */
export function decideBy(
  steps: readonly PolicyStep[],
  groups: PolicyDocument["groups"],
  tool: PolicyTool,
): Verdict {
  let verdict: Verdict = { allowed: true, path: null, entry: null };
  for (const { path, does, entries, ofProduct } of steps) {
    // What is gone can only be added; what is there, only taken.
    if ((does === "add") === verdict.allowed) continue;
    if (does === "keep" && TRANSPARENT_TOOLS.has(tool.name) && !tool.mcp) continue;
    const entry = ofProduct && tool.mcp ? null : entryFor(entries, tool, groups);
    if ((does === "keep") === (entry !== null)) continue;
    verdict = { allowed: does === "add", path, entry };
  }
  return verdict;
}

/** Whether a list that keeps or adds tools means this one by more than "all". */
export const isNamed = (
  steps: readonly PolicyStep[],
  groups: PolicyDocument["groups"],
  tool: PolicyTool,
): boolean =>
  steps.some(({ does, entries }) => {
    const entry = does === "take" ? null : entryFor(entries, tool, groups);
    return entry !== null && entry !== "*";
  });

/** A profile that this build doesn't know keeps nothing. */
function profile(path: string, name: string | undefined): PolicyStep[] {
  if (name === undefined) return [];
  const entries = PROFILES.has(name) ? PROFILES.get(name) : [];
  return entries ? [{ path, does: "keep", entries, ofProduct: true }] : [];
}

const step = (
  does: PolicyStep["does"],
  path: string,
  entries: readonly PolicyEntry[] | undefined,
): PolicyStep[] => (entries === undefined ? [] : [{ does, path, entries }]);

/** A name like `constructor` is nobody's list. */
const own = <T>(record: Readonly<Record<string, T>> | undefined, name: string | undefined): T | undefined =>
  record !== undefined && name !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
