import { RESULT_VALUES_MAX } from "./bounds.ts";

/** What the client takes as it is, but for its outermost names. */
const TAKEN_AS_IT_IS = new Set(["structuredContent", "inputSchema", "outputSchema"]);

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/**
 * Whether a result has more values than the client may hold against its schemas, which it does in one step: a tenth of a
 * millisecond for each that is wrong. `but` names a field that it doesn't look at.
 */
export function isWide(result: object, but: string | null): boolean {
  const open: { value: object; isTaken: boolean }[] = [{ value: result, isTaken: false }];
  let left = RESULT_VALUES_MAX;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    left -= Array.isArray(at.value) ? at.value.length : Object.keys(at.value).length;
    if (left < 0) return true;
    if (at.isTaken) continue;
    for (const [name, value] of Object.entries(at.value))
      if (isObject(value) && !(at.value === result && name === but))
        open.push({ value, isTaken: TAKEN_AS_IT_IS.has(name) });
  }
  return false;
}
