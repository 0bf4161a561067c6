/** A log that grows beyond it loses its oldest events; who resumes there is told of the gap. */
export const TENANT_LOG_EVENTS_MAX = 1_000;
/** How long a log stays after it was last written or read; milliseconds. */
export const TENANT_LOG_TTL_MS = 24 * 3_600_000;
/** One event as JSON; a larger one is reported instead of told. */
export const TENANT_EVENT_BYTES_MAX = 2 * 1024;
/** What a follower that does not pull holds in this process: a page of so many events. */
export const TENANT_PAGE_EVENTS_MAX = 64;

// The tenant's hash tag keeps a log and its floor on one node of a cluster.
export const tenantLogKey = (tenantId: string): string => `bh:tenant-events:{${tenantId}}`;
export const tenantFloorKey = (tenantId: string): string => `${tenantLogKey(tenantId)}:floor`;
export const tenantChannelOf = (tenantId: string): string => `bh:tenant-live:${tenantId}`;
