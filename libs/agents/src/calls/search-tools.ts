import type { SearchToolsCall } from "@bulkhead/contracts";
import {
  decideApproval,
  searchWords,
  shownName,
  toldDescription,
  type FoundTool,
  type TenantPrincipal,
} from "@bulkhead/core";
import { needsConfirmation, policyOf } from "../definitions/confirmation.ts";
import type { MetaToolDeps } from "../meta-tool-deps.ts";
import { seenByModel } from "./model-scope.ts";

/** The best matches that are looked through for those the key may run. */
const CANDIDATES_MAX = 100;
/** Characters of a description in an answer. */
const DESCRIPTION_CHARS_MAX = 120;
/** Characters of one answer, as JSON: about 400 tokens. */
const ANSWER_CHARS_MAX = 1_600;

/** `search_tools`: active tools that this key may run, the best match first, in a few hundred tokens. */
export async function callSearchTools(
  { catalogue }: Pick<MetaToolDeps, "catalogue">,
  principal: TenantPrincipal,
  { query, limit, context }: SearchToolsCall,
) {
  const found = await catalogue.search(principal.tenantId, {
    scope: await seenByModel({ catalogue }, principal, context),
    words: searchWords(query),
    limit: CANDIDATES_MAX,
  });
  const runnable = found.filter((tool) => mayRun(principal, tool));
  const tools = withinBudget(runnable.slice(0, limit).map((tool) => shortly(principal, tool)));
  if (tools.length > 0) return { tools };
  const message =
    found.length > 0
      ? "Tools match, but this tenant allows agents to call none of them; don't create another of the kind."
      : "No tool matches. Try other words, or create one with create_tool.";
  return { tools, message };
}

/** A person's key runs every active tool; an agent's call of a blocked one is refused. */
const mayRun = ({ role, approval }: TenantPrincipal, tool: FoundTool): boolean =>
  role !== "agent" || decideApproval(approval, tool, {}) !== "blocked";

function shortly(principal: TenantPrincipal, tool: FoundTool) {
  const { mcp, description, category } = tool;
  const line = description.replaceAll(/\s+/g, " ");
  const short =
    line.length > DESCRIPTION_CHARS_MAX ? `${line.slice(0, DESCRIPTION_CHARS_MAX).toWellFormed()}…` : line;
  return {
    name: shownName(tool),
    description: toldDescription({ mcp, description: short }),
    ...(category === null ? {} : { category }),
    ...(needsConfirmation(policyOf(principal), tool) ? { requiresConfirmation: true as const } : {}),
  };
}

function withinBudget<T>(tools: T[]): T[] {
  let chars = 0;
  return tools.filter((tool) => (chars += JSON.stringify(tool).length) <= ANSWER_CHARS_MAX);
}
