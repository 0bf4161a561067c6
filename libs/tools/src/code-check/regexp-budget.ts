import {
  REGEXPS_LENGTH_MAX,
  REGEXPS_SETS_MAX,
  REGEXPS_STRING_SETS_MAX,
  REGEXPS_V_LENGTH_MAX,
  REGEXP_LENGTH_MAX,
  REGEXP_NAMED_GROUPS_MAX,
  REGEXP_NESTING_MAX,
} from "./bounds.ts";

/** Properties whose values are texts: each stands for up to thousands of them. */
const STRING_SET = /^\{(?:Basic_Emoji|Emoji_Keycap_Sequence|RGI_)/;

/**
 * The budget of all regular expressions of one code. The parser has the engine compile each of them, which is linear
 * in none of what is counted here.
 */
export class RegExpBudget {
  #length = 0;
  #vLength = 0;
  #sets = 0;
  #stringSets = 0;

  /** Takes one pattern's share. Answers which bound it passes, in words for the author, or null where there is enough. */
  take(pattern: string, flags: string): string | null {
    if (pattern.length > REGEXP_LENGTH_MAX)
      return `The regular expression is longer than ${REGEXP_LENGTH_MAX} characters`;
    this.#length += pattern.length;
    if (this.#length > REGEXPS_LENGTH_MAX)
      return `The regular expressions of the code are longer than ${REGEXPS_LENGTH_MAX} characters together`;
    if (flags.includes("v")) this.#vLength += pattern.length;
    if (this.#vLength > REGEXPS_V_LENGTH_MAX)
      return `The regular expressions with the flag v are longer than ${REGEXPS_V_LENGTH_MAX} characters together`;
    const { named, nesting, sets, stringSets } = measure(pattern);
    if (named > REGEXP_NAMED_GROUPS_MAX)
      return `The regular expression has too many groups: more than ${REGEXP_NAMED_GROUPS_MAX} with names`;
    if (nesting > REGEXP_NESTING_MAX)
      return `The regular expression has too many groups: more than ${REGEXP_NESTING_MAX} inside each other`;
    this.#sets += sets;
    if (this.#sets > REGEXPS_SETS_MAX)
      return `The regular expressions of the code have more than ${REGEXPS_SETS_MAX} properties and set operations`;
    this.#stringSets += stringSets;
    if (this.#stringSets > REGEXPS_STRING_SETS_MAX)
      return `The regular expressions of the code have more than ${REGEXPS_STRING_SETS_MAX} properties of emoji texts`;
    return null;
  }
}

/** Upper bounds, by the characters alone: a bracket in a character class counts too. */
function measure(pattern: string) {
  let [named, open, nesting, sets, stringSets] = [0, 0, 0, 0, 0];
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern[at];
    if (char === "\\") {
      at += 1;
      if (pattern[at] === "p" || pattern[at] === "P") {
        sets += 1;
        if (STRING_SET.test(pattern.slice(at + 1, at + 30))) stringSets += 1;
      }
    } else if (char === ")") open -= 1;
    else if (char === "(") {
      open += 1;
      nesting = Math.max(nesting, open);
      if (pattern.startsWith("?<", at + 1)) named += 1;
    } else if ((char === "&" || char === "-") && pattern[at + 1] === char) sets += 1;
  }
  return { named, nesting, sets, stringSets };
}
