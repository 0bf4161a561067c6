/** Bytes of a page that are read; the rest is cut off. */
export const PAGE_BYTES_MAX = 2 * 1024 * 1024;
/** UTF-16 units of the text, as all `CHARS`: without a `maxLength` of the caller's, and at most. */
export const TEXT_CHARS_DEFAULT = 20_000;
export const TEXT_CHARS_MAX = 200_000;
export const TITLE_CHARS_MAX = 500;
export const LINKS_MAX = 100;
export const LINK_TEXT_CHARS_MAX = 200;
export const LINK_HREF_CHARS_MAX = 2_048;
/** Elements within each other that are read; deeper ones are left out. */
export const PAGE_DEPTH_MAX = 200;

/** The number that a page may have a list start at, either side of 0; beyond, it starts at this. */
export const LIST_START_MAX = 1_000_000;
/** UTF-16 units of a Content-Type header that are looked at. */
export const CONTENT_TYPE_CHARS_MAX = 256;

/** Processes that read pages; started when first needed. */
export const PROCESSES_MAX = 2;
/** A process without a page for so long, in milliseconds, is ended. */
export const PROCESS_IDLE_MS_MAX = 30_000;
/** A process's time for one page, in milliseconds; then it is ended. A page of 2 MiB takes about 300. */
export const READ_MS_MAX = 3_000;
/** The same as a process keeps it itself, in milliseconds, for when nobody is left to end it. */
export const READ_ALONE_MS_MAX = 10_000;
/** A process's time to start, in milliseconds; loading takes about 250 on a quiet machine. */
export const PROCESS_START_MS_MAX = 10_000;
export const PROCESS_HEAP_MIB_MAX = 192;

/** Pages of one tenant that may wait; one more is read. */
export const WAITING_PER_TENANT_MAX = 16;
/** Pages of all tenants that may wait. */
export const WAITING_MAX = 64;

/** A page in base64, its address and its type. */
export const JOB_FRAME_BYTES_MAX = 3 * 1024 * 1024;
/** The longest text, title and links, all of it escaped as JSON. */
export const ANSWER_FRAME_BYTES_MAX = 3 * 1024 * 1024;
