/** UTF-8 bytes of a tool's code. */
export const CODE_BYTES_MAX = 256 * 1024;

/** Brackets open at once; ten times what people write, a tenth of what the parser's stack holds. */
export const CODE_NESTING_MAX = 200;

/**
 * Levels of the syntax tree; a chain of operators counts as many as it has. All but towers of arrows stay below what
 * the parser's stack holds, so that the answer doesn't hang on how much of it the caller has used.
 */
export const CODE_DEPTH_MAX = 2_000;

/** Faults told at once: more help nobody. */
export const CODE_FAULTS_MAX = 20;

/**
 * Comparisons that the parser may make to find names declared twice: it looks through lists. Enough for 4,000 names
 * in one function, and a third of a second at worst, where the names are long and alike.
 */
export const CODE_NAME_COMPARISONS_MAX = 10_000_000;

/** Groups open at once, and named groups, of one regular expression: the parser compares every pair level by level. */
export const REGEXP_NESTING_MAX = 50;
export const REGEXP_NAMED_GROUPS_MAX = 100;

/** Characters of one message; what the parser quotes may be as long as the code. */
export const FAULT_MESSAGE_LENGTH_MAX = 300;
