import { decideBuiltIn, type ApprovalDecision, type ProvidedTool } from "@bulkhead/core";
import type { Sight } from "@bulkhead/policy";
import type { Policy } from "./confirmation.ts";
import { chooserOf, wordingOf, type DefinitionFormat } from "./formats.ts";

/** What its call needs, as far as that is known without arguments. */
const decided = (policy: Policy, tool: ProvidedTool): ApprovalDecision =>
  policy === null ? "preApproved" : decideBuiltIn({ ...policy, rules: [] }, tool, {});

/** Whether its call would run, perhaps after a person's word. */
export const mayCallBuiltIn = (policy: Policy, tool: ProvidedTool): boolean =>
  decided(policy, tool) !== "blocked" && (policy === null || tool.onlyForKeys?.includes("agent") !== false);

/** Whether a person has to allow its calls. */
export const asksForBuiltIn = (policy: Policy, tool: ProvidedTool): boolean =>
  decided(policy, tool) === "ask";

/** A tool of the platform's in a model's list. */
export type OpenedTool = ProvidedTool & { requiresConfirmation: boolean };

/** The tools of the platform's that a policy opens to who asks: those of a model's list, beside the tenant's own. */
export const openedBuiltIns = (
  builtIns: readonly ProvidedTool[],
  policy: Policy,
  sight: Sight | null,
): OpenedTool[] =>
  sight === null
    ? []
    : builtIns
        .filter((tool) => sight.opens(tool) && mayCallBuiltIn(policy, tool))
        .map((tool) => ({ ...tool, requiresConfirmation: asksForBuiltIn(policy, tool) }));

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
