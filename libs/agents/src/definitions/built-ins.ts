import { decideBuiltIn, type ProvidedTool } from "@bulkhead/core";
import type { Sight } from "@bulkhead/policy";
import type { Policy } from "./confirmation.ts";
import { chooserOf, wordingOf, type DefinitionFormat } from "./formats.ts";

/** Whether its call would run: none of a built-in tool can wait for a person. */
export const mayCallBuiltIn = (policy: Policy, tool: ProvidedTool): boolean =>
  policy === null || decideBuiltIn({ ...policy, rules: [] }, tool, {}) === "preApproved";

/** The tools of the platform's that a policy opens to who asks: those of a model's list, beside the tenant's own. */
export const openedBuiltIns = (
  builtIns: readonly ProvidedTool[],
  policy: Policy,
  sight: Sight | null,
): ProvidedTool[] =>
  sight === null ? [] : builtIns.filter((tool) => sight.opens(tool) && mayCallBuiltIn(policy, tool));

/** Their definitions in a format, each as JSON. */
export function wordBuiltIns(
  tools: readonly ProvidedTool[],
  format: DefinitionFormat,
  strict: boolean,
): string[] {
  const word = wordingOf(format, strict);
  const choose = chooserOf(format);
  return tools.map(({ name, title, description, parameters, annotations: hints }) => {
    const own = { name, title, hints, description, parameters, outputSchema: null, category: null };
    return JSON.stringify(choose(word({ ...own, requiresConfirmation: false })));
  });
}
