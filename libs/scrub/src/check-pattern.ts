import { REDACTED } from "@bulkhead/core";
import { compileRe2 } from "@bulkhead/process/patterns";
import { longestMatch } from "./longest-match.ts";

const SOURCE_CHARS_MAX = 512;
/** Steps for each character grow with it; a class of letters is one, a repetition of 100 is 100. */
const PROGRAM_SIZE_MAX = 1_100;
/** Code points. A search looks ahead so far at most before it starts anew after its match. */
export const MATCH_LETTERS_MAX = 512;
/** Texts in which a pattern for secrets finds nothing. */
const HARMLESS = ["", "a", "0", " ", "the quick brown fox", '{"name":"value","count":12}', REDACTED];

/**
 * Lists the faults of a tenant's pattern; without a fault it may be registered. RE2 runs it, whose time for one search
 * grows with pattern times text in every case, so bounds on program and match bound the cost of a search. Anchors and word
 * boundaries are refused, since a text in parts has no ends. A pattern that matches ordinary words is refused, since it
 * would cover every text.
 */
export function checkPattern(source: string): readonly string[] {
  if (source.length > SOURCE_CHARS_MAX) return [`is longer than ${SOURCE_CHARS_MAX} characters`];
  if (!isRegExp(source)) return ["is not a regular expression"];
  const faults: string[] = [];
  if (hasAnchor(source)) faults.push("has ^, $, \\b or \\B: a text that comes in parts has no ends");
  const compiled = compileRe2(source);
  if (!compiled)
    return [
      ...faults,
      "can't be matched in linear time: leave out lookaround, back-references and repetitions above 1000",
    ];
  if (compiled.programSize() > PROGRAM_SIZE_MAX)
    faults.push("costs too much for each character: leave out large or nested repetitions");
  if (longestMatch(compiled) > MATCH_LETTERS_MAX)
    faults.push(`may match more than ${MATCH_LETTERS_MAX} characters: write {n,m} in place of *, + and {n,}`);
  if (HARMLESS.some((text) => compiled.test(text))) faults.push("matches ordinary text");
  return faults;
}

function isRegExp(source: string): boolean {
  try {
    return new RegExp(source).source !== "";
  } catch {
    return false;
  }
}

/** Outside of classes, where they are letters, and not escaped. */
function hasAnchor(source: string): boolean {
  const bare = source.replace(/\[(?:\\.|[^\]\\])*\]/gs, "").replace(/\\([^bB])/gs, "");
  return /\\[bB]|[$^]/.test(bare);
}
