/** Imports and exports of types that one code may have beside a `return` at the top: each costs another look. */
export const MODULE_WORD_ROUNDS_MAX = 50;

const FROM = String.raw`from\s{0,64}(?:"[^"\r\n]*"|'[^'\r\n]*')(?:\s{0,64}with\s{0,64}\{[^{}]*\})?[ \t]*;?`;
const TYPE_NAMES = String.raw`\{\s{0,64}(?:type\s[^{},;'"]{0,256},\s{0,64})*(?:type\s[^{},;'"]{0,256},?\s{0,64})\}`;
const WHOLE: readonly RegExp[] = [
  new RegExp(String.raw`import\s{1,64}type\s{1,64}(?!from\b)[^;'"]{1,4096}?\b${FROM}`, "y"),
  new RegExp(String.raw`(?:import|export)\s{0,64}${TYPE_NAMES}\s{0,64}${FROM}`, "y"),
  new RegExp(
    String.raw`export\s{1,64}type\s{0,64}(?:\*|\{[^{};'"]*\})(?:\s{0,64}as\s{1,64}[\w$]+)?(?:\s{0,64}${FROM}|[ \t]*;?)`,
    "y",
  ),
];
/** The declaration behind it is a type's, so it goes by itself once the word is gone. */
const WORD = /export(?=\s+(?:type|interface|declare)\s)/y;

/**
 * The code without the import or export at that place, the rest left where it is, if it brings in or hands out types alone; else null.
 */
export function typesOnlyAt(code: string, at: number): string | null {
  for (const pattern of [...WHOLE, WORD]) {
    pattern.lastIndex = at;
    const found = pattern.exec(code)?.[0];
    if (found !== undefined)
      return (
        code.slice(0, at) + found.replaceAll(/[^\r\n\u2028\u2029]/g, " ") + code.slice(at + found.length)
      );
  }
  return null;
}
