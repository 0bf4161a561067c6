import { RE2JS, RE2JSException } from "re2js";
import { toRe2Names } from "./property-names.ts";

/**
 * A regular expression of JavaScript's as RE2 runs it, whose time for one search grows with pattern times text, whatever either
 * holds. Null where RE2 has no counterpart: for lookaround, back-references, repetitions above 1,000 and what is no expression.
 */
export function compileRe2(source: string): RE2JS | null {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(toRe2Names(source)));
  } catch (error) {
    if (!(error instanceof RE2JSException) && !(error instanceof RangeError)) throw error;
    return null;
  }
}
