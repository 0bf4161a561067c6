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

/** On it API processes name the tenants that are followed for news of executions. */
export const FOLLOWED_CHANNEL = "bh:tenants-followed";
export const runsChannelOf = (tenantId: string): string => `bh:tenant-runs:${tenantId}`;
/** How often they do; a process that is new learns of them within this time. Milliseconds. */
export const ANNOUNCE_MS = 5_000;
/** How long a tenant counts as followed after it was named: some announcements may be lost. Milliseconds. */
export const FOLLOWED_MS = 16_000;
/** Tenants in one such message, and the characters of a message; anything longer is none. */
export const ANNOUNCED_TENANTS_MAX = 100;
export const ANNOUNCED_CHARS_MAX = 8 * 1024;
/** Tenants that a process takes for followed; of more it forgets those that were named longest ago. */
export const FOLLOWED_TENANTS_MAX = 10_000;

/** How long news of executions wait to travel together; milliseconds. */
export const RUNS_FLUSH_MS = 100;
/** One piece of news as JSON, in UTF-16 units, the longest agent's id included; a longer one is dropped. */
export const RUN_CHARS_MAX = 2 * 1024;
/** News of one tenant, and of all, that wait in a process: of one tenant it tells so many in `RUNS_FLUSH_MS`, and drops more. */
export const RUNS_WAITING_OF_TENANT_MAX = 64;
export const RUNS_WAITING_MAX = 4_096;
/** A message of them in UTF-16 units; anything longer is none. */
export const RUNS_MESSAGE_CHARS_MAX = RUNS_WAITING_OF_TENANT_MAX * (RUN_CHARS_MAX + 1) + 128;
/** News of executions that a follower which is slow to pull holds in this process; more are dropped. */
export const RUNS_HELD_MAX = 256;
