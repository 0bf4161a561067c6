import {
  decideBuiltIn,
  mayAskBuiltIn,
  type JsonObject,
  type ProvidedTool,
  type TenantPrincipal,
} from "@bulkhead/core";
import { askerOf, type SaidOfAsker, type Sight } from "@bulkhead/policy";
import { policyOf, type Policy } from "./confirmation.ts";
import { chooserOf, wordingOf, type DefinitionFormat } from "./formats.ts";

/** The settings that decide on calls of the platform's own tools. */
export interface BuiltInPolicies {
  /** Of most of them. */
  policy: Policy;
  /** Of those that are for some keys' own calls: an agent that a person's key names needs a word of them, too. */
  ofKeys: Policy;
}

export function builtInPoliciesOf(principal: TenantPrincipal, said: SaidOfAsker): BuiltInPolicies {
  const asker = askerOf(principal, said);
  const byAgent = asker !== null && asker.byPerson !== true;
  return { policy: policyOf(principal), ofKeys: byAgent ? principal.approval : null };
}

const policyFor = ({ policy, ofKeys }: BuiltInPolicies, { onlyForKeys }: ProvidedTool): Policy =>
  onlyForKeys === undefined ? policy : ofKeys;

/** Whether its call would run, perhaps after a person's word. */
export function mayCallBuiltIn(policies: BuiltInPolicies, tool: ProvidedTool): boolean {
  if (policies.policy !== null && tool.onlyForKeys?.includes("agent") === false) return false;
  const policy = policyFor(policies, tool);
  return policy === null || decideBuiltIn({ ...policy, rules: [] }, tool, {}) !== "blocked";
}

/** Whether a person has to allow its calls, or may have to, since only the arguments decide. */
export function asksForBuiltIn(policies: BuiltInPolicies, tool: ProvidedTool): boolean {
  const policy = policyFor(policies, tool);
  return policy !== null && mayAskBuiltIn(policy, tool);
}

/** Whether a call would run that says this in an argument and nothing else that a rule speaks of. */
export function mayCallWith(policies: BuiltInPolicies, tool: ProvidedTool, args: JsonObject): boolean {
  const policy = policyFor(policies, tool);
  return policy === null || decideBuiltIn(policy, tool, args) !== "blocked";
}

/** A tool of the platform's in a model's list. */
export type OpenedTool = ProvidedTool & { requiresConfirmation: boolean };

/** The tools of the platform's that a policy opens to who asks: those of a model's list, beside the tenant's own. */
export const openedBuiltIns = (
  builtIns: readonly ProvidedTool[],
  policies: BuiltInPolicies,
  sight: Sight | null,
): OpenedTool[] =>
  sight === null
    ? []
    : builtIns
        .filter((tool) => sight.opens(tool) && mayCallBuiltIn(policies, tool))
        .map((tool) => ({ ...tool, requiresConfirmation: asksForBuiltIn(policies, tool) }));

/** Their definitions in a format, each as JSON. */
export function wordBuiltIns(
  tools: readonly OpenedTool[],
  format: DefinitionFormat,
  strict: boolean,
): string[] {
  const word = wordingOf(format, strict);
  const choose = chooserOf(format);
  return tools.map(({ name, title, description, parameters, annotations: hints, requiresConfirmation }) => {
    const own = { name, title, hints, description, parameters, outputSchema: null, category: null };
    return JSON.stringify(choose(word({ ...own, requiresConfirmation })));
  });
}
