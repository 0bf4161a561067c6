/**
 * Characters of one text on its way out of the guest: over every limit that a run may have. A rope of joined strings
 * costs nothing until it is copied, and half a GiB then.
 */
export const TEXT_CHARS_MAX = 16 * 2 ** 20;

/** UTF-8 bytes of one log line: the wire's LOG_LINE_BYTES_MAX. */
export const LINE_BYTES_MAX = 8_192;
