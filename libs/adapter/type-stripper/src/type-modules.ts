/** Imports and exports of types that one code may have beside a `return` at the top: each costs another look. */
export const MODULE_WORD_ROUNDS_MAX = 50;

const FROM = String.raw`from\s*(?:"[^"\r\n]*"|'[^'\r\n]*')(?:\s*with\s*\{[^{}]*\})?[ \t]*;?`;
const TYPE_NAMES = String.raw`\{\s*(?:type\s[^{},;'"]*,\s*)*(?:type\s[^{},;'"]*,?\s*)\}`;
const WHOLE: readonly RegExp[] = [
  new RegExp(String.raw`import\s+type\s+(?!from\b)[^;'"]{1,4096}?\b${FROM}`, "y"),
  new RegExp(String.raw`(?:import|export)\s*${TYPE_NAMES}\s*${FROM}`, "y"),
  new RegExp(String.raw`export\s+type\s*(?:\*|\{[^{};'"]*\})(?:\s*as\s+[\w$]+)?(?:\s*${FROM}|[ \t]*;?)`, "y"),
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
