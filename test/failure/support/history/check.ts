import type { History } from "./history.ts";

/** One promise about a history. `faults` answers a line for each breach; none where the promise held. */
export interface Check {
  name: string;
  faults: (history: History) => string[];
}

/** Lists what occurs more than once. */
export const repeated = (items: string[]): string[] =>
  [...Map.groupBy(items, (item) => item)].flatMap(([item, all]) => (all.length > 1 ? item : []));
