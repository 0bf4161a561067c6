/** The subject of a rate limit. The name ends in a key of the store: it must be short and hold no caller's text. */
export interface RateKey {
  tenantId: string;
  name: string;
}

/** `count` in `perMs` in the long run, and `burst` at once after a pause; all three at least 1. */
export interface Rate {
  count: number;
  perMs: number;
  burst: number;
}

/** The outcome of a take. */
export interface Taken {
  allowed: boolean;
  /** The rate's burst. */
  limit: number;
  /** Tokens that may be taken right now, after this. */
  remaining: number;
  /** The time until `remaining` grows by one; 0 when it is full. Milliseconds. */
  resetMs: number;
  /**
   * The time until the same take may succeed; 0 when it did, null when it exceeds the burst and never can. Milliseconds.
   */
  retryAfterMs: number | null;
  /**
   * The mark of the tenant's latest change, whichever process made it; null when there was none in the last minute. A
   * process that caches a tenant's keys, settings and tools reads them anew when it sees a new mark.
   */
  changeMark: string | null;
}

/**
 * Counts takes for all processes together: in any time t at most `t × count / perMs + burst`. A changed rate holds from
 * the next take on.
 */
export interface RateLimiter {
  /** Takes `n` or nothing. Rejects with `service.unavailable` where nobody can tell; then it may or may not have been taken. */
  take(key: RateKey, rate: Rate, n: number): Promise<Taken>;
  /**
   * After it has resolved, every take of the tenant's returns a new mark, for a minute. Rejects with
   * `service.unavailable`.
   */
  markChange(tenantId: string): Promise<void>;
}
