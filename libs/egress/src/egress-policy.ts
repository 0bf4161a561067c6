import type { EgressPolicy } from "@bulkhead/core";
import { checkUnasked } from "./check-target.ts";
import { compileEgressAllow, type EgressAllowRule } from "./egress-allow.ts";
import { parseTarget } from "./parse-target.ts";
import { Refusal } from "./refusal.ts";

/** The broker's rules without a broker: nothing is looked up, and nothing is connected. */
export function openEgressPolicy(rules: readonly EgressAllowRule[]): EgressPolicy {
  const allow = compileEgressAllow(rules);
  return {
    refusalOf(url) {
      try {
        checkUnasked(allow, parseTarget(url));
        return null;
      } catch (error) {
        if (error instanceof Refusal) return error.message;
        throw error;
      }
    },
  };
}
