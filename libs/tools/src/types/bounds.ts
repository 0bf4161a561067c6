/** UTF-8 bytes of a text; longer ones are refused unseen. As much as a tool's code may have. */
export const CODE_BYTES_MAX = 256 * 1024;
/** A thread's time for one text, in milliseconds: 256 KiB of ordinary code take about 30. */
export const STRIP_MS_MAX = 1_000;
export const THREADS_MAX = 2;
export const THREAD_HEAP_MIB_MAX = 64;
/** Texts that may wait for a thread, of one tenant and of all. */
export const STRIP_QUEUE_MAX = { ofTenant: 50, ofAll: 200 };
/** How long one waits, in milliseconds. */
export const STRIP_WAIT_MS_MAX = 5_000;
/** Characters of a message; the parser quotes names from the text. */
export const MESSAGE_CHARS_MAX = 300;
