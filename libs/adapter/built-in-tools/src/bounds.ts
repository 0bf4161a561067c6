/** Bytes of a page that are read; the rest is cut off. */
export const PAGE_BYTES_MAX = 2 * 1024 * 1024;
/** UTF-16 units of the text, as all `CHARS`: without a `maxLength` of the caller's, and at most. */
export const TEXT_CHARS_DEFAULT = 20_000;
export const TEXT_CHARS_MAX = 200_000;
export const TITLE_CHARS_MAX = 500;
export const LINKS_MAX = 100;
export const LINK_TEXT_CHARS_MAX = 200;
export const LINK_HREF_CHARS_MAX = 2_048;
/** Elements within each other that are followed; what lies deeper is left out. */
export const PAGE_DEPTH_MAX = 200;

/** Threads that read pages; started when first needed and kept. */
export const THREADS_MAX = 2;
/** A thread's time for one page, in milliseconds; then it is ended. A page of 2 MiB takes about 300. */
export const THREAD_MS_MAX = 3_000;
/** A thread's time to start, in milliseconds; loading takes about 100 on a quiet machine. */
export const THREAD_START_MS_MAX = 10_000;
/** Pages that may wait for a thread. */
export const THREAD_QUEUE_MAX = 64;
export const THREAD_HEAP_MIB_MAX = 192;
