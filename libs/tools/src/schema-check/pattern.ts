import { PATTERN_CHARS_MAX } from "./bounds.ts";
import { buildLinearTest, NotLinear } from "./linear-test.ts";

/**
 * A regular expression that matches in linear time, or why there is none. Its text is its source: Ajv takes two with equal
 * texts for one.
 */
export type CompiledPattern =
  | { outcome: "compiled"; test: (text: string) => boolean; toString: () => string }
  /** It is one of JavaScript's, but can't be matched in bounded time. */
  | { outcome: "unchecked"; message: string }
  | { outcome: "refused"; message: string };

/**
 * Compiles with RE2, whose matching never backtracks. Syntax without a counterpart (some lookaround, back-references,
 * large repetitions) stays unchecked; an invalid regular expression of JavaScript is refused.
 */
export function compilePattern(source: string): CompiledPattern {
  if (source.length > PATTERN_CHARS_MAX)
    return { outcome: "unchecked", message: `is longer than ${PATTERN_CHARS_MAX} characters` };
  const fault = findFault(source);
  if (fault !== undefined) return { outcome: "refused", message: fault };
  try {
    return { outcome: "compiled", test: buildLinearTest(source), toString: () => source };
  } catch (error) {
    if (!(error instanceof NotLinear)) throw error;
    return {
      outcome: "unchecked",
      message:
        "can't be matched in linear time; leave out lookaround in the middle, back-references and repetitions above 1000",
    };
  }
}

/** RE2 has syntax of its own, which every other reader of the schema would understand differently. */
function findFault(source: string): string | undefined {
  try {
    void new RegExp(source);
  } catch {
    return "is not a regular expression";
  }
  try {
    void new RegExp(source, "u");
  } catch (error) {
    if (error instanceof SyntaxError && error.message.includes("property name"))
      return "has a \\p{…} with a name that Unicode and JavaScript don't know, as in \\p{Letter} or \\p{Script=Greek}";
  }
  return undefined;
}
