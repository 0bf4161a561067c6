import {
  CALL_DEPTH_MAX,
  shownName,
  toldDescription,
  type ListedTool,
  type Permission,
  type ProvidedTool,
  type ToolProvider,
} from "@bulkhead/core";
import type { PolicyTool, Sight } from "@bulkhead/policy";
import { isInChain, sightFor, whyNotApproved, whyNotProvided, type CallableDeps } from "./callable-tools.ts";
import { depthOf, type HeldAttempt } from "./tool-calls.ts";

/** What decides on a list: null where all is there. Of equal marks one list is kept. */
export type ListSight = Pick<Sight, "sees" | "mark"> | null;

export interface ListDeps extends Pick<CallableDeps, "policies"> {
  /**
   * Active ones that are there, at most `LISTED_TOOLS_MAX`: those first whose calls ask nobody, since an agent may call no
   * others, then the newest. May answer from memory for a moment.
   */
  listActiveTools(
    tenantId: string,
    agentId: string | null,
    sight: ListSight,
  ): Promise<readonly ListableTool[]>;
  provider: Pick<ToolProvider, "listTools">;
}

/** A tool as lists are made of it. */
export interface ListableTool extends Omit<ListedTool, "description" | "parameters"> {
  /** Its entry in lists, as JSON. */
  json: string;
}

/** Tools that one list holds, and the characters of their JSON together; what does not fit is left out. */
export const LISTED_TOOLS_MAX = 100;
const LIST_CHARS_MAX = 512 * 1024;

/** Writes the JSON once, for all the lists that the tool is in. */
export const toListable = (tool: ListedTool): ListableTool => ({
  id: tool.id,
  name: tool.name,
  alias: tool.alias,
  mcp: tool.mcp,
  requiresApproval: tool.requiresApproval,
  approval: tool.approval,
  createdBy: tool.createdBy,
  ...(tool.approvalCode !== undefined && { approvalCode: true }),
  json: toJson({ ...tool, name: shownName(tool), description: toldDescription(tool) }),
});

const toJson = ({
  name,
  description,
  parameters,
}: Pick<ProvidedTool, "name" | "description" | "parameters">): string =>
  JSON.stringify({ name, description, parameters });

/** Lists what this caller may call, as JSON: the tools in its scope as they are listed, then those of the platform. */
export async function listCallable(
  deps: ListDeps,
  caller: HeldAttempt,
  permissions: readonly Permission[],
): Promise<string> {
  const { tenantId, scopeAgentId } = caller;
  const sight = await sightFor(deps, caller);
  const active =
    depthOf(caller) < CALL_DEPTH_MAX ? await deps.listActiveTools(tenantId, scopeAgentId, sight) : [];
  const own = active.filter((tool) => !isInChain(caller, tool.id) && isApproved(caller, tool, sight));
  const taken = new Set(active.map(shownName));
  const provided = deps.provider
    .listTools()
    .filter(({ name }) => !taken.has(name))
    .filter((tool) => isThere(sight, tool))
    .filter((tool) => whyNotProvided(withoutRules(caller), tool, {}, permissions) === null);
  const listed: string[] = [];
  let chars = 0;
  for (const json of [...own.map((tool) => tool.json), ...provided.map(toJson)]) {
    if (chars + json.length > LIST_CHARS_MAX) continue;
    chars += json.length;
    listed.push(json);
  }
  return `[${listed.join(",")}]`;
}

const isThere = (sight: Sight | null, tool: PolicyTool): boolean => sight?.sees(tool) ?? true;

const isApproved = (caller: HeldAttempt, tool: ListableTool, sight: Sight | null): boolean =>
  whyNotApproved(withoutRules(caller), tool, {}, sight) === null;

/** As far as a list can tell, which knows no arguments: what it shows may still be refused when it is called. */
function withoutRules(caller: HeldAttempt): HeldAttempt {
  return { ...caller, approvals: { ...caller.approvals, rules: [] } };
}
