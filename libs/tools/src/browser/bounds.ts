// Also for the driver, which can load nothing of other packages of ours.

const MIB = 2 ** 20;

/** From the launch until a page could be opened; milliseconds. */
export const BROWSER_START_MS_MAX = 20_000;
/** For one action; milliseconds. */
export const ACT_MS_DEFAULT = 30_000;
export const ACT_MS_MAX = 120_000;
/** Beyond the time of an action, or of a picture, for the driver to say that it is over, before the browser is ended; milliseconds. */
export const ACT_MORE_MS = 10_000;
export const DRAW_MORE_MS = 5_000;
/** A page that answers nothing for so long after an action's time was over is closed: its script does not end. Milliseconds. */
export const ANSWER_MS_MAX = 5_000;
/** An action is over when no page has asked for anything for so long, or after the longest wait for that; milliseconds. */
export const REQUESTS_QUIET_MS = 50;
export const REQUESTS_SETTLE_MS_MAX = 1_000;
/** Pages of one browser; one more is closed as it opens. */
export const PAGES_MAX = 8;

/** Requests of one browser under way at a time, and those of one action. */
export const OPEN_REQUESTS_MAX = 64;
export const ACT_REQUESTS_MAX = 2_000;
/** Bytes of one request's body, and of all that are under way at a time. */
export const UPLOAD_BYTES_MAX = 8 * MIB;
export const UPLOADS_BYTES_MAX = 16 * MIB;
/** Characters of a request's URL, its headers, and bytes of those together: more than the way out lets through. */
export const URL_CHARS_MAX = 16 * 1_024;
export const HEADERS_MAX = 128;
export const HEADER_CHARS_MAX = 64 * 1_024;

/** Bytes of one message of a driver: an upload in base64, or what an action found: the largest picture in base64, and its text. */
export const FROM_DRIVER_BYTES_MAX = 15 * MIB;
/** Bytes of all that a driver says during one action, and of those that are requests, after which it refuses more. */
export const ACT_SAID_BYTES_MAX = 64 * MIB;
export const ACT_REQUESTS_BYTES_MAX = 32 * MIB;
/** Bytes of one message to a driver: a part of a body, an action, or the largest picture's source escaped as JSON. */
export const TO_DRIVER_BYTES_MAX = 8 * MIB;

/** Of each kind of thing that went otherwise than a page wanted, so many are told; of all of them the number. */
export const TOLD_MAX = 5;
export const TOLD_CHARS_MAX = 300;
/** Characters of a page's title, and of a part of its text. */
export const TITLE_CHARS_MAX = 500;
export const TEXT_CHARS_MAX = 100_000;
/** Characters of what a driver says about a failure. */
export const FAILURE_CHARS_MAX = 1_000;
