const KIB = 1_024;

/** Addresses of one mail: to, copies and hidden copies together. */
export const RECIPIENTS_MAX = 50;
export const SUBJECT_CHARS_MAX = 250;
/** Characters of a mail's text and of its HTML. */
export const TEXT_CHARS_MAX = 64 * KIB;
export const HTML_CHARS_MAX = 256 * KIB;
/** Characters of a message to what is no mailbox; the services' own bounds. */
export const SLACK_CHARS_MAX = 40_000;
export const DISCORD_CHARS_MAX = 2_000;
export const TELEGRAM_CHARS_MAX = 4_096;
/** Bytes of an answer to a message, of which a few words are read. */
export const ANSWER_BYTES_MAX = 16 * KIB;
/** Characters of the reason that an answer gives. */
export const REASON_CHARS_MAX = 200;
