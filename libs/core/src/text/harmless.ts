/**
 * Characters that make a terminal do something, or make text look like another: controls (escape sequences begin with one),
 * what turns the direction of writing, what is invisible, and lone surrogates. Joiners stay, since emoji and several
 * scripts need them.
 */
export const HARMFUL =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- These very characters are looked for, one by one.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\p{Cs}\u{e0000}-\u{e0fff}]/gu;

const spelled = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  return code <= 0xff ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
};

/**
 * Text of a stranger's (a tool, a model, a server) as a terminal or a page may show it: harmful characters are spelled out, such as
 * `\x1b`. Line ends and tabs stay; a carriage return before a line end goes, and any other is spelled out.
 */
export const harmless = (text: string): string => text.replaceAll("\r\n", "\n").replaceAll(HARMFUL, spelled);

/** The same on one line: line ends and tabs are spelled out too. */
export const harmlessLine = (text: string): string =>
  harmless(text).replaceAll("\n", "\\n").replaceAll("\t", "\\t");

const escaped = (character: string): string =>
  [...Array(character.length).keys()]
    .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`)
    .join("");

/** JSON that a terminal shows as it is and a parser reads as the same value: harmful characters stand as `\uXXXX`. */
export const harmlessJson = (value: unknown, indent = 2): string =>
  (JSON.stringify(value, null, indent) ?? "null").replaceAll(HARMFUL, escaped);
