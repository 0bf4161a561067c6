import type { Asker, CallDecision, Policy, TenantPrincipal } from "@bulkhead/core";
import { askerOf, type SaidOfAsker } from "./asker.ts";
import { decideBy, isNamed, stepsFor, type Verdict } from "./decide.ts";
import type { PolicyTool } from "./match-entry.ts";
import { grantsFor, grantsMark, placeOfGrants } from "./mcp-grants.ts";

/** Which tools are there for one asker. */
export interface Sight {
  sees(tool: PolicyTool): boolean;
  /**
   * Whether the tool is there because a list names it or a group of it, and not because nothing takes it away: only then is
   * one that comes with the platform put before a model that did not ask for it.
   */
  opens(tool: PolicyTool): boolean;
  /** Whether a grant names that very tool for the asker: a person has said already that it may be called. */
  named(tool: PolicyTool): boolean;
  /** Equal for two sights of one tenant that see the same. */
  readonly mark: string;
}

/** Null where everything is there: the tenant has no policy, or a person asks for themselves. */
export function sightBy(policy: Policy | null | undefined, asker: Asker | null): Sight | null {
  if (!policy || asker === null) return null;
  const { version, document, mcpVersion, mcp } = policy;
  const steps = stepsFor(document, asker);
  const hasGrants = Object.keys(mcp).length > 0;
  if (steps.length === 0 && !hasGrants) return null;
  const granted = grantsFor(mcp, asker);
  const isListed = (tool: PolicyTool): boolean => decideBy(steps, document.groups, tool).allowed;
  return {
    sees: (tool) => isListed(tool) && (!tool.mcp || granted(tool.mcp).allowed),
    opens: (tool) => isListed(tool) && isNamed(steps, document.groups, tool),
    named: ({ mcp: of }) => {
      if (!of) return false;
      const { allowed, named } = granted(of);
      return allowed && named;
    },
    get mark() {
      const lists = [version, ...steps.map(({ path }) => path)];
      return JSON.stringify(hasGrants ? [lists, mcpVersion, ...grantsMark(mcp, asker)] : lists);
    },
  };
}

/** As a sight decides, with the step that had the last word. */
export function verdictsBy(
  { document, mcp }: Pick<Policy, "document" | "mcp">,
  asker: Asker,
): (tool: PolicyTool) => Verdict {
  const steps = stepsFor(document, asker);
  const granted = grantsFor(mcp, asker);
  return (tool) => {
    const verdict = decideBy(steps, document.groups, tool);
    if (!verdict.allowed || !tool.mcp || granted(tool.mcp).allowed) return verdict;
    return { allowed: false, path: placeOfGrants(mcp, asker, tool.mcp.server), entry: null };
  };
}

/** The sight of a key's request; `said` are the fields of its context that say who asks. */
export const sightOf = (
  principal: Pick<TenantPrincipal, "role" | "agentId" | "asks" | "policy">,
  said: SaidOfAsker = {},
): Sight | null => (principal.policy ? sightBy(principal.policy, askerOf(principal, said)) : null);

/** A grant that names the very tool is a person's word for it: a call of it need not ask for another one. */
export const withGrant = (decision: CallDecision, sight: Sight | null, tool: PolicyTool): CallDecision =>
  decision === "ask" && sight?.named(tool) ? "preApproved" : decision;

/** Whether a tool is there for a key's request. */
export const isSeen = (
  principal: Parameters<typeof sightOf>[0],
  said: SaidOfAsker,
  tool: PolicyTool,
): boolean => sightOf(principal, said)?.sees(tool) ?? true;
