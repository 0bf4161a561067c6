import { RESULT_VALUES_MAX } from "./bounds.ts";
import { weighJson } from "./weigh-json.ts";

/** What the client takes as it is, but for its outermost names. */
const TAKEN_AS_IT_IS: ReadonlySet<string | number> = new Set([
  "structuredContent",
  "inputSchema",
  "outputSchema",
]);

const BOUNDS = { bytes: Infinity, values: RESULT_VALUES_MAX, levels: Infinity };

/**
 * Whether a result has more values than the client may hold against its schemas, which it does in one step: a tenth of a
 * millisecond for each that is wrong. `but` names a field that it doesn't look at.
 */
export const isWide = (result: object, but: string | null): boolean =>
  weighJson(result, BOUNDS, (name, holder) => {
    if (holder === result && name === but) return "nothing";
    return TAKEN_AS_IT_IS.has(name) ? "names" : "all";
  }) === "values";
