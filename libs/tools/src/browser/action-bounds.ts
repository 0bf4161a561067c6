// Also for the driver, which can load nothing of other packages of ours.

/** Every step of an action, and the coming of a page's main document. Milliseconds. */
export const STEP_MS_MAX = 10_000;
export const OPEN_MS_MAX = 20_000;
/** What is done in a page has so long to finish what it began there; it is over earlier where nothing is under way. Milliseconds. */
export const PAGE_SETTLE_MS_MAX = 3_000;
export const PAGE_QUIET_MS = 100;
/** Time of a wait, in milliseconds. */
export const WAIT_MS_MAX = 10_000;
/** How far one scroll goes, in pixels. */
export const SCROLL_PX_DEFAULT = 600;
export const SCROLL_PX_MAX = 20_000;
/** Characters of a text or a tree that one answer has unless others are asked for, and of all of it that is told. */
export const PART_CHARS_DEFAULT = 20_000;
export const KEPT_CHARS_MAX = 1_000_000;
/** The window, in pixels. */
export const WINDOW = { width: 1_280, height: 720 };
/** Pixels from the top that a picture of a whole page shows. */
export const FULL_PAGE_PX_MAX = 8_000;
/** Bytes of a picture or a PDF. */
export const CONTENT_BYTES_MAX = 8 * 1_024 * 1_024;
