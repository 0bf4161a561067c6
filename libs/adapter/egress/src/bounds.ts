/** Characters of a URL, after parsing. */
export const URL_CHARS_MAX = 8_192;
/** Headers of one request, and the bytes of their names and values together. */
export const REQUEST_HEADERS_MAX = 64;
export const REQUEST_HEADER_BYTES_MAX = 16 * 1024;
/** Bytes of one response's header block. */
export const RESPONSE_HEADER_BYTES_MAX = 32 * 1024;
/** Redirects followed for one fetch; each also counts as a request of the run. */
export const REDIRECTS_MAX = 10;
/** Bytes of a redirect's body that are read so that its connection can be used again. */
export const REDIRECT_BODY_BYTES_MAX = 16 * 1024;
/** Content codings on top of each other; one is usual. */
export const CODINGS_MAX = 3;
/** Addresses of one name that are checked and tried. A name with more is served by the first. */
export const ADDRESSES_MAX = 16;

/** From the fetch to the last byte of its answer, redirects included; milliseconds. */
export const REQUEST_MS_MAX = 30_000;
/** For the look-up of one name, in milliseconds. */
export const LOOKUP_MS_MAX = 5_000;
/** For one connection, the TLS handshake included, in milliseconds. */
export const CONNECT_MS_MAX = 10_000;
/** How long a connection waits for the same run's next request, in milliseconds. */
export const KEEP_ALIVE_MS = 1_000;
/** Connections of one run to one origin. */
export const CONNECTIONS_MAX = 6;
