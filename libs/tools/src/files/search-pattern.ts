import { Fault } from "@bulkhead/core";
import { compileRe2 } from "@bulkhead/process/patterns";
import { RegExpParser, type AST } from "@eslint-community/regexpp";

/** The length of a pattern in characters, and the size of the program that it makes: both bound what a line costs. */
export const SEARCH_PATTERN_CHARS_MAX = 512;
const PROGRAM_SIZE_MAX = 2_000;
/** A shorter text stands in most files, so that looking for it first saves nothing. */
const LITERAL_CHARS_MIN = 2;

/** A pattern that RE2 runs, and a text that each line which matches holds; null: none is known. */
export interface SearchPattern {
  source: string;
  literal: string | null;
  /** Whether many lines may be looked at together, as text of several lines: none that matches is missed. */
  byBlocks: boolean;
}

/** What means the whole text also where `^` and `$` mean lines: its begin, its end, and flags that are taken back. */
const WHOLE_TEXT = /\\[Az]|\(\?[a-zA-Z]*-/;

/** Throws `file.pattern_invalid` for what is no regular expression that can be searched for in linear time. */
export function readSearchPattern(pattern: string, ignoresCase: boolean): SearchPattern {
  if (pattern === "") throw patternFault("must not be empty");
  if (pattern.length > SEARCH_PATTERN_CHARS_MAX)
    throw patternFault(`must have ${SEARCH_PATTERN_CHARS_MAX} characters at most`);
  if (!pattern.isWellFormed()) throw patternFault("must not contain lone surrogates");
  const source = ignoresCase ? `(?i)${pattern}` : pattern;
  const compiled = compileRe2(source);
  if (compiled === null)
    throw patternFault(
      "is no regular expression that can be matched in linear time: leave out lookaround, back-references and repetitions above 1000",
    );
  if (compiled.programSize() > PROGRAM_SIZE_MAX)
    throw patternFault("costs too much for each line: leave out large or nested repetitions");
  const literal = ignoresCase ? null : literalOf(pattern);
  return { source, literal, byBlocks: !WHOLE_TEXT.test(pattern) };
}

const patternFault = (message: string): Fault =>
  new Fault("file.pattern_invalid", {
    detail: `The pattern can't be used: it ${message}.`,
    errors: [{ path: "pattern", message }],
  });

/** The longest text that stands in whatever the pattern matches. */
function literalOf(pattern: string): string | null {
  const parsed = parse(pattern);
  if (parsed === null) return null;
  const runs = runsOf(parsed.alternatives);
  const longest = runs.toSorted((one, other) => other.length - one.length)[0] ?? "";
  return longest.length >= LITERAL_CHARS_MIN ? longest : null;
}

/**
 * What RE2 reads otherwise than JavaScript does without the flag `u`: letters and digits behind a backslash (`\Q`, `\pL`, `\012`),
 * classes by names within a class, and characters of two units.
 */
const READ_OTHERWISE = /\\[^\W_dDwWsSbBtfvnr]|\[:|[\ud800-\udfff]/;

/** RE2 knows more than JavaScript, as flags within the pattern: of those no literal is known. */
function parse(pattern: string): AST.Pattern | null {
  const parser = new RegExpParser({ ecmaVersion: 2024 });
  for (const unicode of READ_OTHERWISE.test(pattern) ? [true] : [true, false])
    try {
      return parser.parsePattern(pattern, 0, pattern.length, { unicode });
    } catch {
      // It is no such pattern.
    }
  return null;
}

/** Texts that have to stand in a match, from what is there in any case. */
function runsOf(alternatives: readonly AST.Alternative[]): string[] {
  const [only, ...others] = alternatives;
  if (only === undefined || others.length > 0) return [];
  const runs = [""];
  const end = (): void => void (runs.at(-1) !== "" && runs.push(""));
  for (const element of only.elements) {
    if (element.type === "Character" && !/[\r\n]/.test(element.raw)) {
      runs[runs.length - 1] += String.fromCodePoint(element.value);
      continue;
    }
    // An assertion takes no character, so what stands around it stands together.
    if (element.type === "Assertion" && element.kind !== "lookahead" && element.kind !== "lookbehind")
      continue;
    end();
    const { inner, isSure } = innerOf(element);
    if (inner && isSure) runs.push(...runsOf(inner), "");
  }
  return runs;
}

function innerOf(element: AST.Element): { inner: AST.Alternative[] | null; isSure: boolean } {
  if (element.type === "Group" || element.type === "CapturingGroup")
    // Flags of a group may make case mean nothing.
    return { inner: "modifiers" in element && element.modifiers ? null : element.alternatives, isSure: true };
  if (element.type !== "Quantifier" || element.min === 0) return { inner: null, isSure: false };
  return innerOf(element.element);
}
