import type { LiveRunNews } from "./run-news.ts";
import type { TenantEvent, TenantNews } from "./tenant-event.ts";

/** A tenant's events, for people who watch it. Events may get lost; the stores hold the facts. */
export interface TenantEvents {
  /**
   * Publishes to the tenant's followers. Never rejects: news that can't be published is reported, and the change itself
   * stands.
   */
  publish(tenantId: string, news: TenantNews): Promise<void>;
  /** The id behind which everything is still to come. Rejects with `service.unavailable`. */
  position(tenantId: string): Promise<string>;
  /**
   * Yields everything after `after`, then new events, until `signal`. Survives outages. A consumer that does not pull
   * holds nothing back: the log is read again from its last position, and events that the log has dropped by then are
   * reported as a gap.
   */
  follow(tenantId: string, after: string, signal: AbortSignal): AsyncIterable<TenantEvent | TenantEventsGap>;
  /** Starts and ends of executions. They are not in the log: those of a busy tenant would push out all else. */
  readonly runs: LiveRunNews;
}

/** Events between these two ids (exclusive) may be lost. A consumer that resumes after `id` sees no gap. */
export interface TenantEventsGap {
  type: "events.gap";
  id: string;
  from: string;
  to: string;
}
