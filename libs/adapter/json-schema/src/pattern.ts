import { RE2JS, RE2JSException } from "re2js";
import { PATTERN_CHARS_MAX } from "./bounds.ts";

/**
 * A regular expression that matches in linear time, or why there is none. As text it is its source: Ajv takes two whose texts
 * are alike for one.
 */
export type CompiledPattern =
  | { outcome: "compiled"; test: (text: string) => boolean; toString: () => string }
  | { outcome: "refused"; message: string };

/**
 * Compiles with RE2, whose matching never backtracks. What it has no counterpart for (lookaround, back-references,
 * large repetitions) is refused, and so is what is no regular expression of JavaScript.
 */
export function compilePattern(source: string): CompiledPattern {
  if (source.length > PATTERN_CHARS_MAX)
    return { outcome: "refused", message: `is longer than ${PATTERN_CHARS_MAX} characters` };
  try {
    // RE2 has syntax of its own, which would mean something else to every other reader of the schema.
    void new RegExp(source);
  } catch {
    return { outcome: "refused", message: "is not a regular expression" };
  }
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(source));
    return { outcome: "compiled", test: (text) => compiled.test(text), toString: () => source };
  } catch (error) {
    if (!(error instanceof RE2JSException) && !(error instanceof RangeError)) throw error;
    const message =
      "can't be matched in linear time: leave out lookaround, back-references and repetitions above 1000";
    return { outcome: "refused", message };
  }
}
