import type { PolicyDocument } from "@bulkhead/client";

export interface Askers {
  /** Ids of agents that have a key, or lists of their own in the policy. */
  agents: readonly string[];
  /** Of models, as the policy names them. */
  providers: readonly string[];
}

/** Each once, in the order of their names: agents that have keys, and whom the policy names. */
export function askersOf({ agents = {}, byProvider = {} }: PolicyDocument, keyed: readonly string[]): Askers {
  const providers = Object.values(agents).flatMap((lists) => Object.keys(lists.byProvider ?? {}));
  const sorted = (names: readonly string[]): string[] =>
    [...new Set(names)].sort((one, other) => one.localeCompare(other));
  return {
    agents: sorted([...keyed, ...Object.keys(agents)]),
    providers: sorted([...providers, ...Object.keys(byProvider)]),
  };
}
