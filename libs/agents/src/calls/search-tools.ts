import type { SearchToolsCall } from "@bulkhead/contracts";
import {
  decideApproval,
  searchWords,
  shownName,
  toldDescription,
  type FoundTool,
  type TenantPrincipal,
} from "@bulkhead/core";
import { sightOf } from "@bulkhead/policy";
import { builtInPoliciesOf, openedBuiltIns, type OpenedTool } from "../definitions/built-ins.ts";
import { needsConfirmation, policyOf } from "../definitions/confirmation.ts";
import type { BuiltInDeps, MetaToolDeps } from "../meta-tool-deps.ts";
import { seenByModel } from "./model-scope.ts";

/** The best matches that are looked through for those the key may run. */
const CANDIDATES_MAX = 100;
/** Characters of a description in an answer. */
const DESCRIPTION_CHARS_MAX = 120;
/** Characters of one answer, as JSON: about 400 tokens. */
const ANSWER_CHARS_MAX = 1_600;

/** `search_tools`: active tools that this key may run, the best match first, in a few hundred tokens. */
export async function callSearchTools(
  { catalogue, builtIns }: Pick<MetaToolDeps, "catalogue"> & BuiltInDeps,
  principal: TenantPrincipal,
  { query, limit, context }: SearchToolsCall,
) {
  const words = searchWords(query);
  const found = await catalogue.search(principal.tenantId, {
    scope: await seenByModel({ catalogue }, principal, context),
    words,
    limit: CANDIDATES_MAX,
  });
  const runnable = found.filter((tool) => mayRun(principal, tool));
  const opened = openedBuiltIns(builtIns, builtInPoliciesOf(principal, context), sightOf(principal, context));
  const matching = bestOf(opened, words).filter(({ name }) => !found.some((tool) => tool.name === name));
  const own = runnable.map((tool) => shortly(principal, tool));
  const tools = withinBudget([...own, ...matching].slice(0, limit));
  if (tools.length > 0) return { tools };
  const message =
    found.length > 0
      ? "Tools match, but this tenant allows agents to call none of them; don't create another of the kind."
      : "No tool matches. Try other words, or create one with create_tool.";
  return { tools, message };
}

/** The built-in tools that have one of the words, those with most of them first. */
function bestOf(tools: readonly OpenedTool[], words: readonly string[]) {
  const rated = tools.map((tool) => {
    const has = new Set(searchWords(`${tool.name} ${tool.name.replaceAll("_", " ")} ${tool.description}`));
    return { tool, score: words.filter((word) => has.has(word)).length };
  });
  return rated
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({ tool: { name, description, requiresConfirmation } }) => ({
      name,
      description: inShort(description),
      ...(requiresConfirmation ? { requiresConfirmation } : {}),
    }));
}

/** A person's key runs every active tool; an agent's call of a blocked one is refused. */
const mayRun = ({ role, approval }: TenantPrincipal, tool: FoundTool): boolean =>
  role !== "agent" || decideApproval(approval, tool, {}) !== "blocked";

function shortly(principal: TenantPrincipal, tool: FoundTool) {
  const { mcp, description, category } = tool;
  return {
    name: shownName(tool),
    description: toldDescription({ mcp, description: inShort(description) }),
    ...(category === null ? {} : { category }),
    ...(needsConfirmation(policyOf(principal), tool) ? { requiresConfirmation: true as const } : {}),
  };
}

function inShort(description: string): string {
  const line = description.replaceAll(/\s+/g, " ");
  return line.length > DESCRIPTION_CHARS_MAX
    ? `${line.slice(0, DESCRIPTION_CHARS_MAX).toWellFormed()}…`
    : line;
}

function withinBudget<T>(tools: T[]): T[] {
  let chars = 0;
  return tools.filter((tool) => (chars += JSON.stringify(tool).length) <= ANSWER_CHARS_MAX);
}
