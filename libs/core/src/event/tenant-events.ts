import type { TenantEvent, TenantNews } from "./tenant-event.ts";

/** What happens in a tenant, for people who watch it. A view: news may be lost, what it tells of is in the stores. */
export interface TenantEvents {
  /** Tells the tenant's followers. Never rejects: news that can't be told is reported, and the change it tells of stands. */
  publish(tenantId: string, news: TenantNews): Promise<void>;
  /** The id behind which everything is still to come. Rejects with `service.unavailable`. */
  position(tenantId: string): Promise<string>;
  /**
   * Everything behind `after`, then what comes, until `signal`. Outlives outages. A consumer that does not pull holds
   * nothing back: the log is read again from where it stopped, and what the log has lost by then is told as a gap.
   */
  follow(tenantId: string, after: string, signal: AbortSignal): AsyncIterable<TenantEvent | TenantEventsGap>;
}

/** What lay between these two ids (exclusive) may be lost. Resuming from behind `id` meets no gap. */
export interface TenantEventsGap {
  type: "events.gap";
  id: string;
  from: string;
  to: string;
}
