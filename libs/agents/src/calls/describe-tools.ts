import type { DescribeToolsCall } from "@bulkhead/contracts";
import type { TenantPrincipal, Tool } from "@bulkhead/core";
import { needsConfirmation, policyOf, type Policy } from "../definitions/confirmation.ts";
import { declareTool } from "../definitions/typescript.ts";
import type { MetaToolDeps } from "../meta-tool-deps.ts";
import { modelScopeOf } from "./model-scope.ts";

/** The longest schema that is shown whole; a longer one is shown as its declaration. */
const SCHEMA_CHARS_MAX = 8_000;
const DECLARATION_CHARS_MAX = 4_000;

/** `describe_tools`: describes each tool once, in the order asked for; unknown names are listed separately. */
export async function callDescribeTools(
  { tools: store }: Pick<MetaToolDeps, "tools">,
  principal: TenantPrincipal,
  { names, context }: DescribeToolsCall,
) {
  const scope = modelScopeOf(principal, context);
  const asked = [...new Set(names)];
  const found = await Promise.all(asked.map((name) => store.find(principal.tenantId, name, scope)));
  const notFound = asked.filter((_, index) => found[index] === null);
  const policy = policyOf(principal);
  const tools = found.filter((tool) => tool !== null).map((tool) => describe(tool, policy));
  return { tools, ...(notFound.length > 0 ? { notFound } : {}) };
}

const describe = (tool: Tool, policy: Policy) => ({
  name: tool.name,
  description: tool.description,
  status: tool.status,
  requiresConfirmation: needsConfirmation(policy, tool),
  ...(JSON.stringify(tool.parameters).length <= SCHEMA_CHARS_MAX ? { parameters: tool.parameters } : {}),
  typescript: declareTool(tool, DECLARATION_CHARS_MAX),
});
