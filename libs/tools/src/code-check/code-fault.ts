/**
 * The rules of static validation: `syntax`, `uncalled` for code of whole functions none of which would run, and one for each
 * word of the two lists of forbidden patterns.
 */
export const CODE_RULES = [
  "syntax",
  "uncalled",
  "process",
  "require",
  "import",
  "__dirname",
  "__filename",
  "global",
  "globalThis",
  "eval",
  "Function",
  "__proto__",
  "constructor",
  "with",
] as const;
export type CodeRule = (typeof CODE_RULES)[number];

/** A fault in a tool's code; `line` and `column` count from 1 in the tool's own text, columns in UTF-16 units. */
export interface CodeFault {
  line: number;
  column: number;
  /** The rule that was broken; `syntax` means that the code does not compile, or is past a bound. */
  rule: CodeRule;
  /** It tells the tool's author what is wrong and what to do instead; its length is bounded, whatever the code says. */
  message: string;
}

/** A broken rule at an offset of the text that was parsed. */
export interface Offence {
  at: number;
  rule: CodeRule;
  message: string;
}
