/** A log that grows beyond this bound loses its oldest events; a reader that resumes there gets a gap. */
export const TENANT_LOG_EVENTS_MAX = 1_000;
/** How long a log stays after it was last written or read; milliseconds. */
export const TENANT_LOG_TTL_MS = 24 * 3_600_000;
/** One event as JSON, a person's reason of 1,000 characters included; a larger one is reported instead of published. */
export const TENANT_EVENT_BYTES_MAX = 6 * 1024;
/** A slow follower holds one page in this process, of so many events. */
export const TENANT_PAGE_EVENTS_MAX = 64;

// The tenant's hash tag keeps a log and its floor on one node of a cluster.
export const tenantLogKey = (tenantId: string): string => `bh:tenant-events:{${tenantId}}`;
export const tenantFloorKey = (tenantId: string): string => `${tenantLogKey(tenantId)}:floor`;
export const tenantChannelOf = (tenantId: string): string => `bh:tenant-live:${tenantId}`;
