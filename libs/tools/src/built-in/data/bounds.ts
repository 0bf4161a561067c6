/** Documents of one answer; the rest by a cursor. */
export const DOCUMENTS_DEFAULT = 50;
export const DOCUMENTS_MAX = 200;
/** Characters of a collection's name in arguments; who parses it has closer bounds. */
export const COLLECTION_CHARS_MAX = 64;
export const ID_CHARS_MAX = 512;
export const ORDER_CHARS_MAX = 257;
export const GOAL_TITLE_CHARS_MAX = 200;
export const GOAL_TEXT_CHARS_MAX = 2_000;
export const STEP_CHARS_MAX = 500;
export const GOAL_ID_CHARS_MAX = 64;
