/** From the first step of a connection to the end of its first list of tools; milliseconds. */
export const CONNECT_MS_MAX = 30_000;
/** Of each message of a handshake over HTTP: the client's own look at it comes before ours. */
export const GREETING_BYTES_MAX = 256 * 1024;
/** For the answer to a health check; milliseconds. */
export const PING_MS_MAX = 10_000;
/** Until a connection that is being closed counts as closed; milliseconds. */
export const CLOSE_MS_MAX = 900;
/** For telling a server that its session is over; milliseconds. */
export const GOODBYE_MS_MAX = 500;

/** Calls of one server that go on at a time, others wait: below the 32 connections that egress lends for one origin. */
export const SERVER_CALLS_MAX = 24;

/** Messages of ours that one server has not taken yet, those among them that answer its own questions. */
export const SENDS_OPEN_MAX = 100;

/** Pages of one list of tools, and bytes of all that is taken from it. */
export const LIST_PAGES_MAX = 50;
export const LIST_BYTES_MAX = 4 * 1024 * 1024;
/** Values of one result that the client holds against its schemas: schemas and data of tools are not among them. */
export const RESULT_VALUES_MAX = 10_000;
/** Between two lists of one connection; milliseconds. */
export const RELIST_MS_MIN = 1_000;
/** A tool's name as its server calls it; the protocol's own bound. */
export const OFFER_NAME_CHARS_MAX = 128;
/** One schema of a tool: as large and as deep as those of a tenant's own tools may be. */
export const OFFER_SCHEMA_BYTES_MAX = 64 * 1024;
export const OFFER_SCHEMA_DEPTH_MAX = 32;
/** Names of its objects and parts of its lists, all together. */
export const OFFER_SCHEMA_VALUES_MAX = 10_000;

/** Messages that answer nothing; a server that sends more of them in a second loses its connection. */
export const NOTES_PER_SECOND_MAX = 1_000;
/** Of all of them in one second, and levels of one: each is written as JSON before it is cut. */
export const NOTE_BYTES_PER_SECOND_MAX = 4 * 1024 * 1024;
export const NOTE_DEPTH_MAX = 64;
/** Log lines and notes of progress of one call; what comes after them is left out. */
export const CALL_NOTES_MAX = 1_000;
export const NOTE_CHARS_MAX = 8_192;

/** Until a stream that its server has ended is asked for again, whatever the server says; milliseconds. */
export const RESUME_MS_MIN = 1_000;
export const RESUME_MS_MAX = 30_000;

/** For how long one HTTP answer may be silent: a stream of events says nothing while there is nothing to say. */
export const SILENCE_MS_MAX = 3_600_000;

/** Characters of a reason or an error in a server's words. */
export const WORDS_CHARS_MAX = 500;

/** How often a call is sent to another process before it counts as unreachable. */
export const ROUTE_TRIES_MAX = 4;
/** How often something is told to a process that has much unread, within a lease. */
export const TELL_TRIES_MAX = 10;
/** A process that is asked to close a connection answers within so many milliseconds, or is not waited for. */
export const DROP_MS_MAX = 2_000;
