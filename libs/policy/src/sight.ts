import type { Asker, Policy, TenantPrincipal } from "@bulkhead/core";
import { askerOf, type SaidOfAsker } from "./asker.ts";
import { decideBy, stepsFor } from "./decide.ts";
import type { PolicyTool } from "./match-entry.ts";

/** Which tools are there for one asker. */
export interface Sight {
  sees(tool: PolicyTool): boolean;
  /** Equal for two sights of one tenant that see the same. */
  mark: string;
}

/** Null where everything is there: the tenant has no document, or a person asks for themselves. */
export function sightBy(policy: Policy | null | undefined, asker: Asker | null): Sight | null {
  if (!policy || asker === null) return null;
  const { version, document } = policy;
  const steps = stepsFor(document, asker);
  if (steps.length === 0) return null;
  return {
    sees: (tool) => decideBy(steps, document.groups, tool).allowed,
    mark: JSON.stringify([version, ...steps.map(({ path }) => path)]),
  };
}

/** The sight of a key's request; `said` are the fields of its context that say who asks. */
export const sightOf = (
  principal: Pick<TenantPrincipal, "role" | "agentId" | "asks" | "policy">,
  said: SaidOfAsker = {},
): Sight | null => (principal.policy ? sightBy(principal.policy, askerOf(principal, said)) : null);

/** Whether a tool is there for a key's request. */
export const isSeen = (
  principal: Parameters<typeof sightOf>[0],
  said: SaidOfAsker,
  tool: PolicyTool,
): boolean => sightOf(principal, said)?.sees(tool) ?? true;
