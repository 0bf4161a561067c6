/** Characters of a query: what the strictest of the engines takes. */
export const QUERY_CHARS_MAX = 400;
/** Results of one search. */
export const RESULTS_DEFAULT = 10;
export const RESULTS_MAX = 20;
/** UTF-16 units of a result's parts; the rest is cut off, and a longer address is left out. */
export const RESULT_TITLE_CHARS_MAX = 300;
export const RESULT_SNIPPET_CHARS_MAX = 1_000;
export const RESULT_URL_CHARS_MAX = 2_048;
/** Characters that are looked at before they are cut: markup takes more than what it shows. */
export const RAW_CHARS_MAX = 8_192;
/** Bytes of an engine's answer. */
export const SEARCH_ANSWER_BYTES_MAX = 1_024 * 1_024;
/** From the request to the whole answer; milliseconds. */
export const SEARCH_MS_MAX = 15_000;
