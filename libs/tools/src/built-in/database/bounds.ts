/** Characters of a statement. */
export const SQL_CHARS_MAX = 64 * 1_024;
/** Values that are bound to a statement, and the characters of all of them as JSON. */
export const PARAMS_MAX = 500;
export const PARAMS_CHARS_MAX = 256 * 1_024;
/** Bytes of rows that a model is shown at once; code may have more. */
export const SHOWN_BYTES_MAX = 64 * 1_024;
