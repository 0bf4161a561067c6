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

/** The size of a response's first part, and how long it waits for more bytes once the head is there; milliseconds. */
export const FIRST_PART_BYTES_MAX = 64 * 1024;
export const FIRST_PART_MS_MAX = 5;
/** The size of every further part, and how long it waits for more bytes once it has some; milliseconds. */
export const PART_BYTES_MAX = 256 * 1024;
export const PART_MS_MAX = 2;

/**
 * The time from the fetch to the head of its answer, redirects included, and for each further part of its body;
 * milliseconds.
 */
export const REQUEST_MS_MAX = 30_000;
/** For the look-up of one name, in milliseconds. */
export const LOOKUP_MS_MAX = 5_000;
/** For one connection, the TLS handshake included, in milliseconds. */
export const CONNECT_MS_MAX = 10_000;
/** Connections to databases and mail servers at a time, of one tenant and of all; who comes then waits for a turn. */
export const TENANT_OUTSIDE_MAX = 4;
export const OUTSIDE_MAX = 64;
/** Beyond what a query may take, bytes on the wire that its answer may have before the connection is ended. */
export const QUERY_WIRE_BYTES_MORE = 4 * 1024 * 1024;
/** Characters of a row that are read for each byte of the answer: hexadecimal and spaces of JSON take more than what is told of them. */
export const QUERY_CHARS_PER_BYTE = 2;
/** Rows that a database is asked for at a time. */
export const QUERY_ROWS_AT_ONCE = 64;
/** How long a database may take beyond a statement's own time: for the connection, the transaction and its end; milliseconds. */
export const QUERY_MORE_MS_MAX = 15_000;
/** After so long beyond its own time a statement is ended from here, whatever it has made of its time-out; milliseconds. */
export const STATEMENT_MORE_MS = 1_000;
/** How long it may take to tell a database that a statement is to end; milliseconds. */
export const CANCEL_MS_MAX = 2_000;
/** For a mail, from the first look-up to the server's last word; milliseconds. */
export const MAIL_MS_MAX = 60_000;
/** Bytes of one answer of a mail server. */
export const MAIL_ANSWER_BYTES_MAX = 64 * 1024;

/** How long a connection waits for its tenant's next request, in milliseconds; less than servers usually wait (5 s). */
export const KEEP_ALIVE_MS = 4_000;
/**
 * Connections of one tenant to one origin, of one tenant, and of all; in use and kept ones together. So many tenants can
 * be at their bound at once that none of them is in the way of a worker's others.
 */
export const ORIGIN_CONNECTIONS_MAX = 32;
export const TENANT_CONNECTIONS_MAX = 64;
export const CONNECTIONS_MAX = 4_096;
