import type { ExecutionKey } from "@bulkhead/core";

/** How long a log stays after its last event; milliseconds. Afterwards the row alone tells how the execution ended. */
export const LOG_TTL_MS = 3_600_000;
/**
 * A log that grows beyond either bound loses its oldest events, a tenth of it at once; a reader that resumes there gets a
 * gap. The longest run, 10,000 lines and emitted values (the wire's `LOG_LINES_MAX`), fits whole, with its warnings,
 * beginning and end; of an execution that ran again, events of earlier tries go first. The bytes bound a log's share of
 * Redis's memory: the longest run takes nearly all of them if JSON escapes each of its characters.
 */
export const LOG_EVENTS_MAX = 12_000;
export const LOG_BYTES_MAX = 8 * 1024 * 1024;
/** One event as JSON; above it `append` refuses. A tool's output is bounded far below. */
export const EVENT_BYTES_MAX = 4 * 1024 * 1024;
/** A larger terminal event travels without its execution, which is in the row. */
export const END_EVENT_BYTES_MAX = 64 * 1024;
/**
 * Followers of one tenant that may hold an end read from its row in one process; the others wait. A row is up to 6 MiB of
 * JSON (arguments and result), many times that as objects, and a reader may leave it and its frame in the socket for a
 * minute: the number is small enough for the heap, and large enough that prompt readers don't notice the turns.
 */
export const LARGE_ENDS_MAX = 4;
/** Followers of one tenant that read a kept log from the database at a time in one process. */
export const KEPT_READS_MAX = 2;
/** The most that is published at once; of a larger batch only the last event is, and followers read the log. */
export const PUBLISHED_BYTES_MAX = 64 * 1024;
/** Events that are appended together share entries of the log of about this size. */
export const BLOCK_BYTES_MAX = 16 * 1024;
/**
 * The bytes of one tenant, and of all, in one write to Redis: as much as Redis takes in a few milliseconds. A larger event
 * goes alone.
 */
export const TURN_BYTES_MAX = 64 * 1024;
export const FLUSH_BYTES_MAX = 512 * 1024;
/** The bytes of one tenant, and of all, that may wait in this process to be written. */
export const PENDING_BYTES_OF_TENANT_MAX = 16 * 1024 * 1024;
export const PENDING_BYTES_MAX = 64 * 1024 * 1024;
/** The most that a slow follower holds in this process: live events, and its page of the log. */
export const LIVE_MESSAGES_MAX = 256;
export const LIVE_BYTES_MAX = 256 * 1024;
export const PAGE_ENTRIES_MAX = 64;
export const PAGE_BYTES_MAX = 256 * 1024;
/** How often a follower or watcher that hears nothing looks by itself, in case a message was lost; milliseconds. */
export const CHECK_MS = 5_000;
/** How long a follower or watcher waits to be subscribed before it relies on looking by itself; milliseconds. */
export const SUBSCRIBED_MS_MAX = 2_000;

// The execution's hash tag keeps a log and its tail on one node of a cluster. The tenant is in every name: under
// another tenant there is no log and no message.
export const logKey = ({ tenantId, executionId }: ExecutionKey): string =>
  `bh:log:${tenantId}:{${executionId}}`;
export const tailKey = (key: ExecutionKey): string => `${logKey(key)}:tail`;
export const channelOf = ({ tenantId, executionId }: ExecutionKey): string =>
  `bh:live:${tenantId}:${executionId}`;
export const SIGNAL_CHANNEL = "bh:signals";
