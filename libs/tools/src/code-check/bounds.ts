/** UTF-8 bytes of a tool's code. */
export const CODE_BYTES_MAX = 256 * 1024;

/** Brackets open at once; ten times what people write, a tenth of what the parser's stack holds. */
export const CODE_NESTING_MAX = 200;

/**
 * Levels of the syntax tree; a chain of operators counts as many as it has. All stay below what the parser's
 * stack holds, so that the answer doesn't hang on how much of it the caller has used.
 */
export const CODE_DEPTH_MAX = 2_000;

/** Scopes open at once: the parser goes through all of them at every name. Loops and arrows have one without a bracket. */
export const CODE_SCOPES_MAX = 300;

/** Faults told at once: more help nobody. */
export const CODE_FAULTS_MAX = 20;

/**
 * Comparisons that the parser may make to find names declared twice: it looks through lists. Enough for 3,000 names
 * in one function.
 */
export const CODE_NAME_COMPARISONS_MAX = 5_000_000;

/**
 * Tokens of the code: words, signs, texts. Time and memory go with them. Code as people write it has one in five
 * characters and meets the bound on bytes first; minified code has one in two, and 160 KB of it fit.
 */
export const CODE_TOKENS_MAX = 80_000;

/**
 * Look-ups for nested patterns (each `=` around one goes through all of it), for labels, breaks and continues (through
 * all labels and loops around), and for private names (through all classes around).
 */
export const CODE_LOOKUPS_MAX = 1_000_000;

/** Groups open at once, and named groups, of one regular expression: the parser compares every pair level by level. */
export const REGEXP_NESTING_MAX = 50;
export const REGEXP_NAMED_GROUPS_MAX = 100;

/** Characters of one regular expression; the longest that people pass around, for mail addresses, has 6,500. */
export const REGEXP_LENGTH_MAX = 16_384;

/** Characters of all regular expressions of one code together. */
export const REGEXPS_LENGTH_MAX = 65_536;

/** The same of those with the flag `v`: with `i`, a class takes time with the square of its characters. */
export const REGEXPS_V_LENGTH_MAX = 4_096;

/** `\p{…}`, `\P{…}`, `&&` and `--` in all regular expressions of one code; each takes up to a tenth of a millisecond. */
export const REGEXPS_SETS_MAX = 500;

/** Of these, properties of texts as `\p{RGI_Emoji}` is; each takes over a millisecond, and much memory. */
export const REGEXPS_STRING_SETS_MAX = 10;

/** Characters of one message; what the parser quotes may be as long as the code. */
export const FAULT_MESSAGE_LENGTH_MAX = 300;

/** Different tools that one code calls by name; more count as any. */
export const CALLED_TOOLS_MAX = 100;

/** Undeclared names told of one code, and characters of each. */
export const UNDECLARED_NAMES_MAX = 20;
export const UNDECLARED_NAME_CHARS_MAX = 100;
