/** Milliseconds that one try of a call may take, from its start to the last byte of the answer. */
export const REQUEST_MS_DEFAULT = 60_000;
/** How often a call is made again where that may help. */
export const RETRIES_DEFAULT = 4;
/** How often in a row a stream is opened again without an event in between. */
export const FOLLOW_RETRIES_DEFAULT = 10;

/** Words for who asks, which the tenant's policy hears. */
export interface AskerOptions {
  /** The provider of the model that asks. */
  provider?: string | undefined;
  /** The group that asks. */
  group?: string | undefined;
  /** The person on whose behalf is asked. */
  user?: string | undefined;
}

export interface ClientOptions extends AskerOptions {
  /** Where the API is, such as `https://tools.example.com`, with a path before `/api/v1` if there is one; `/api/v1` itself may stand at its end. */
  url: string | URL;
  /** An API key or an access token, or what gives one for each try. Left out: a browser's session cookie. */
  key?: string | (() => string | Promise<string>) | undefined;
  /** Milliseconds for one try of a call; 60,000 unless set. */
  requestTimeoutMs?: number | undefined;
  /** How often a call is made again where that may help; 4 unless set, 0: never. */
  retries?: number | undefined;
  /** Headers of every request. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** What the program calls itself, for lists of executions; where it is no browser that says so itself. */
  userAgent?: string | undefined;
  /** In place of the global `fetch`. */
  fetch?: typeof fetch | undefined;
}

/** What every call takes. */
export interface CallOptions {
  /** Ends the call; it rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** As of the client, for this call. */
  requestTimeoutMs?: number | undefined;
  /** As of the client; of a stream how often in a row it is opened again without an event in between, 10 unless set. */
  retries?: number | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  /** Sees each answer's status and headers, such as `ETag`, `Location` or `RateLimit`; the body is not its to read. */
  onResponse?: ((response: Pick<Response, "status" | "headers">) => void) | undefined;
}

export interface OnceOption {
  /** The call is accepted once in 24 hours under this key; a new one is made for each call unless set. */
  idempotencyKey?: string | undefined;
}

export interface IfMatchOption {
  /** An ETag that the thing must still have, of a tool's `PUT` also its `contentHash`; in quotes. */
  ifMatch?: string | undefined;
}

export interface IfNoneMatchOption {
  /** `*`: nothing of the name may be there. */
  ifNoneMatch?: string | undefined;
}

export interface FollowOptions {
  /** Goes on from behind this event. */
  lastEventId?: string | undefined;
  /** Whether it waits until the tenant has room for one more stream, which it does unless false: then that rejects at once. */
  waitsForRoom?: boolean | undefined;
}

/** All that a call may take, as the code that makes the request sees it. */
export type AnyOptions = CallOptions &
  OnceOption &
  IfMatchOption &
  IfNoneMatchOption &
  AskerOptions &
  FollowOptions;
