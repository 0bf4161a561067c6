/** How many messages tenants have sent lately, for their `messagesPerDay`. */
export interface MessageCounts {
  /**
   * Counts so many at this moment where the tenant then has sent `max` at most in the 24 hours before it; all of them or none.
   * Of those that are refused: in how many milliseconds the same may be counted, null for more than `max`. Rejects with
   * `service.unavailable` where nobody can tell.
   */
  take(
    tenantId: string,
    count: number,
    max: number,
    at: Date,
  ): Promise<{ counted: true } | { counted: false; retryAfterMs: number | null }>;
}
