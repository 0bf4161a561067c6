/** Web sockets of one API process; each costs some buffers. */
export const SOCKETS_MAX = 10_000;
/** Tokens that one process looks up at one time, and how long that may take: whose they are is not known yet; milliseconds. */
export const HANDSHAKES: Readonly<Handshakes> = { max: 500, ms: 10_000 };
export interface Handshakes {
  max: number;
  ms: number;
}
/** How long a device may take to answer a close, before it is cut off: until then it has a place; milliseconds. */
export const CLOSING_MS_MAX = 2_000;
/** Invocations that one device works on at one time. */
export const INVOCATIONS_MAX = 16;
/** Bytes that wait for a device to read them: with more it is asked nothing, and is disconnected where it still has more at the next ping. */
export const UNREAD_BYTES_MAX = 4 * 1_024 * 1_024;
/** Bytes that wait for all devices of one process: with more it cuts off the slowest device of the tenant whose devices have most, until there are fewer. */
export const UNREAD_BYTES_OF_ALL_MAX = 64 * 1_024 * 1_024;
/** Messages of a device in a second, in the long run and at once; one of more than so many bytes counts as several. */
export const MESSAGES_PER_SECOND = 50;
export const MESSAGES_BURST = 200;
export const MESSAGE_WEIGHT_BYTES = 64 * 1_024;
/** Characters of a device's word for a failure, and for how far it is. */
export const ERROR_CHARS_MAX = 2_000;
export const PROGRESS_CHARS_MAX = 500;
/** Progress of one invocation that is passed on. */
export const PROGRESS_MAX = 100;
/** A device may say anew what it offers once in so long; milliseconds. */
export const HELLO_EVERY_MS = 1_000;

/** Milliseconds between two things that are done for all connections of this process. */
export interface Beats {
  /** It says that it lives. */
  alive: number;
  /** It says which devices are here. */
  renew: number;
  ping: number;
  /** It notes who was seen, and hears who may be connected no more. */
  saw: number;
}

export const BEATS: Readonly<Beats> = { alive: 2_000, renew: 10_000, ping: 20_000, saw: 30_000 };
