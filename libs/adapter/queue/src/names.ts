/**
 * How long a handed-out attempt that no worker has renewed yet holds its slot. While its row stays queued the sweeps
 * prolong it (`lua/missing.lua`); where a release got lost, so long the slot stays taken.
 */
export const HANDED_OUT_LEASE_MS = 60_000;
/** How long a running attempt holds its slot without being renewed: so long a dead worker's slots stay taken. */
export const RUNNING_LEASE_MS = 30_000;
/** Attempts in one atomic step: keeps a step around a millisecond. */
export const STEP_SIZE_MAX = 100;
/** Expired leases and tenants with a backlog that one step of the reap looks at. */
export const REAP_LEASES_MAX = 500;
export const REAP_TENANTS_MAX = 100;
/** Steps of one reap; what is left waits for the next. */
export const REAP_STEPS_MAX = 20;

/** BullMQ's queue inside a shard. */
export const READY_QUEUE = "ready";
/** All keys of a shard start with it; its hash tag keeps them on one node of a cluster. */
export const shardBase = (shard: number): string => `{bh:${shard}}`;
