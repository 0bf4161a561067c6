const KIB = 1_024;
const MIB = 1_024 * KIB;

/** Characters of an address, a ref, a page's name, a key, and a text that is waited for. */
export const ADDRESS_CHARS_MAX = 4_096;
export const REF_CHARS_MAX = 32;
export const PAGE_ID_CHARS_MAX = 16;
export const KEY_CHARS_MAX = 40;
export const WAIT_TEXT_CHARS_MAX = 500;
/** Characters that are typed at once, and of those that come key by key. */
export const TYPED_CHARS_MAX = 16 * KIB;
export const SLOWLY_CHARS_MAX = 500;
/** Options that are chosen at once, and the characters of one. */
export const VALUES_MAX = 50;
export const VALUE_CHARS_MAX = 500;

/** One action, its turn and its browser's start aside. Milliseconds. */
export const ACTION_MS_MAX = 45_000;
/** The wall time of a call of `browser`: a turn, a start and an action. Milliseconds. */
export const BROWSER_WALL_MS = 120_000;
/** Requests of one call and the bytes that they bring in: of one page with all that it loads. */
export const BROWSER_REQUESTS_MAX = 100;
export const BROWSER_BYTES_IN_MAX = 16 * MIB;
/** Bytes of a picture or a PDF in an answer; with `saveAs` it may have as many as a browser gives. */
export const SHOWN_BYTES_MAX = 512 * KIB;

/** Browsers of one tenant, and of all, on one worker at one time. */
export const TENANT_BROWSERS_MAX = 4;
export const BROWSERS_MAX = 8;
/** One that nobody asked for so long is ended; and each, however much it is asked. Milliseconds. */
export const IDLE_MS_MAX = 5 * 60_000;
export const BROWSER_MS_MAX = 30 * 60_000;
/** One that nobody asked for so long gives way to another one of its tenant, where there are as many as may be. Milliseconds. */
export const GIVES_WAY_MS = 30_000;
/** Actions that wait for their turn in one browser. */
export const WAITING_MAX = 8;
