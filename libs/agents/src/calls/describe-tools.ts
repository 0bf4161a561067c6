import type { DescribeToolsCall } from "@bulkhead/contracts";
import {
  declareTool,
  shownName,
  toldDescription,
  type ProvidedTool,
  type TenantPrincipal,
  type Tool,
} from "@bulkhead/core";
import { sightOf } from "@bulkhead/policy";
import {
  asksForBuiltIn,
  builtInPoliciesOf,
  mayCallBuiltIn,
  type BuiltInPolicies,
} from "../definitions/built-ins.ts";
import { needsConfirmation, policyOf, type Policy } from "../definitions/confirmation.ts";
import { tellServices } from "../definitions/tell-services.ts";
import type { BuiltInDeps, MetaToolDeps } from "../meta-tool-deps.ts";
import { modelScopeOf } from "./model-scope.ts";

/** The longest schema that is shown whole; a longer one is shown as its declaration. */
const SCHEMA_CHARS_MAX = 8_000;
const DECLARATION_CHARS_MAX = 4_000;

interface DescribeDeps extends BuiltInDeps {
  tools: Pick<MetaToolDeps["tools"], "find" | "listVersions">;
}

/** `describe_tools`: describes each tool once, in the order asked for; unknown names are listed separately. */
export async function callDescribeTools(
  { tools: store, builtIns, configServices }: DescribeDeps,
  principal: TenantPrincipal,
  { names, context }: DescribeToolsCall,
) {
  const scope = modelScopeOf(principal, context);
  const asked = [...new Set(names)];
  const sight = sightOf(principal, context);
  const find = async (name: string) => {
    const tool = await store.find(principal.tenantId, name, scope);
    return tool && sight?.sees(tool) !== false ? tool : null;
  };
  const found = await Promise.all(asked.map(find));
  const policy = policyOf(principal);
  const policies = builtInPoliciesOf(principal, context);
  const provided = builtIns.filter(
    (tool) =>
      found[asked.indexOf(tool.name)] === null &&
      sight?.sees(tool) !== false &&
      mayCallBuiltIn(policies, tool),
  );
  const notFound = asked.filter(
    (name, index) => found[index] === null && !provided.some((tool) => tool.name === name),
  );
  const told = await tellServices({ configServices }, principal.tenantId, policies, provided);
  const known = found.filter((tool) => tool !== null);
  const tools = await Promise.all(
    known.map(async (tool) => describe(tool, policy, await rejectionOf(store, tool))),
  );
  return {
    tools: [...tools, ...told.map((tool) => describeBuiltIn(policies, tool))],
    ...(notFound.length > 0 ? { notFound } : {}),
  };
}

/** A person's word on the newest version, for the model that proposed it; nothing where that was not rejected. */
async function rejectionOf(store: DescribeDeps["tools"], tool: Tool) {
  // Versions of people's tools never wait, and one that waits is the newest.
  if (tool.createdBy === "user" || tool.pendingVersion !== null) return {};
  const [newest] = await store.listVersions(tool.tenantId, tool.id, { limit: 1 });
  if (newest?.state !== "rejected") return {};
  const { version, reason } = newest;
  return { rejected: { version, ...(reason === null ? {} : { reason }) } };
}

const describe = (tool: Tool, policy: Policy, rejection: object) => ({
  name: shownName(tool),
  description: toldDescription(tool),
  status: tool.status,
  ...rejection,
  requiresConfirmation: needsConfirmation(policy, tool),
  ...(JSON.stringify(tool.parameters).length <= SCHEMA_CHARS_MAX ? { parameters: tool.parameters } : {}),
  typescript: declareTool(
    { ...tool, name: declaredName(tool), description: toldDescription(tool) },
    DECLARATION_CHARS_MAX,
  ),
});

const describeBuiltIn = (policies: BuiltInPolicies, tool: ProvidedTool) => {
  const { name, description, parameters } = tool;
  return {
    name,
    description,
    status: "active" as const,
    requiresConfirmation: asksForBuiltIn(policies, tool),
    parameters,
    typescript: declareTool({ name, description, parameters, outputSchema: null }, DECLARATION_CHARS_MAX),
  };
};

/** A declaration's name is an identifier, which an alias such as `API-post-search` is not; calls take the name too. */
const declaredName = (tool: Tool): string =>
  /^[A-Za-z_]\w*$/.test(shownName(tool)) ? shownName(tool) : tool.name;
