const KIB = 1_024;

/** Characters of a path in arguments; who parses it has closer bounds. */
export const PATH_CHARS_MAX = 1_024;
/** Bytes of an image or another file that is no text, as a model gets it. */
export const SHOWN_BYTES_MAX = 512 * KIB;
/** Bytes of one read by a tool's own code; a longer file comes in ranges. */
export const READ_BYTES_MAX = 8 * 1_024 * KIB;
/** Characters that a model writes at once, within the bound of a call's arguments. */
export const WRITE_CHARS_MAX = 128 * KIB;
/** Replacements of one edit, and the characters of each side. */
export const EDITS_MAX = 100;
export const EDIT_CHARS_MAX = 64 * KIB;
/** Entries of one list and of one glob; the rest by a cursor, or a narrower pattern. */
export const ENTRIES_DEFAULT = 200;
export const ENTRIES_MAX = 1_000;
/** Matches of one search. */
export const MATCHES_DEFAULT = 100;
export const MATCHES_MAX = 500;
export const PATTERN_CHARS_MAX = 512;
