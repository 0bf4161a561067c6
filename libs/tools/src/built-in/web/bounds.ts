/** Of HTML: the whole page as text, or its main part as Markdown. */
export const PAGE_FORMATS = ["text", "markdown"] as const;
export type PageFormat = (typeof PAGE_FORMATS)[number];

/** Bytes of a page that are read; the rest is cut off. */
export const PAGE_BYTES_MAX = 2 * 1024 * 1024;
/** Bytes of a PDF, which can't be read in part. */
export const PDF_BYTES_MAX = 10 * 1024 * 1024;
/** Pages of a PDF that are read; the rest is cut off. */
export const PDF_PAGES_MAX = 500;
/** UTF-16 units of a page's whole text: so far callers can go on in it. */
export const TEXT_KEPT_CHARS_MAX = 500_000;
/** UTF-16 units of the text of one answer, as all `CHARS`: without a `maxChars` of the caller's, and at most. */
export const TEXT_CHARS_DEFAULT = 20_000;
export const TEXT_CHARS_MAX = 200_000;
export const TITLE_CHARS_MAX = 500;
export const LINKS_MAX = 100;
export const LINK_TEXT_CHARS_MAX = 200;
export const LINK_HREF_CHARS_MAX = 2_048;
/** Elements within each other that are read; deeper ones are left out. */
export const PAGE_DEPTH_MAX = 200;

/** Where a main part is shorter, or has less of the page's text, the whole page is given. */
export const ARTICLE_CHARS_MIN = 200;
export const ARTICLE_SHARE_MIN = 0.2;
/** Columns of a table that is written as one. */
export const MARKDOWN_COLUMNS_MAX = 30;

/** The number that a page may have a list start at, either side of 0; beyond, it starts at this. */
export const LIST_START_MAX = 1_000_000;
/** UTF-16 units of a Content-Type header that are looked at. */
export const CONTENT_TYPE_CHARS_MAX = 256;

/** A process's time for one page, in milliseconds; then it is ended. A page of 2 MiB takes about 300. */
export const READ_MS_MAX = 3_000;
/** The same as a process keeps it itself, in milliseconds, for when nobody is left to end it. */
export const READ_ALONE_MS_MAX = 10_000;
export const PROCESS_HEAP_MIB_MAX = 192;

/** The largest of what is read, in base64, its address and its type. */
export const JOB_FRAME_BYTES_MAX = 14 * 1024 * 1024;
/** The longest text, title and links, all of it escaped as JSON. */
export const ANSWER_FRAME_BYTES_MAX = 5 * 1024 * 1024;

/** A process's time for one PDF, in milliseconds; 300 pages of text take about one second. */
export const PDF_READ_MS_MAX = 15_000;
/** The same as a process keeps it itself. */
export const PDF_READ_ALONE_MS_MAX = 30_000;
/** Memory of a process that reads PDFs, what is outside of its heap included. */
export const PDF_MEMORY_BYTES_MAX = 512 * 1024 * 1024;

/** What was fetched is given again for so long, in milliseconds; of all tenants so many bytes are kept. */
export const CACHE_MS = 15 * 60_000;
export const CACHE_BYTES_MAX = 32 * 1024 * 1024;
