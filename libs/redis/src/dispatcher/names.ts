/**
 * How long a handed-out attempt that no worker has renewed yet holds its slot. While its row stays queued the sweeps
 * prolong it (`lua/missing.lua`); where a release got lost, so long the slot stays taken.
 */
export const HANDED_OUT_LEASE_MS = 60_000;
/** How long a running attempt holds its slot without being renewed: so long a dead worker's slots stay taken. */
export const RUNNING_LEASE_MS = 30_000;
/** How long a reservation stands without an admission: commit and admission take milliseconds. */
export const RESERVED_MS = 15_000;
/** Attempts in one atomic step: keeps a step at some milliseconds, with as many again that it hands out. */
export const STEP_SIZE_MAX = 100;
/** Executions in one step of a reservation: some microseconds each. */
export const RESERVE_SIZE_MAX = 1_000;
/** Steps of one `dispatch` or `reap` in a shard; further work waits for the next. */
export const DISPATCH_STEPS_MAX = 20;
/** Tenants of the ring, and of those at their cap, that one measure reads in a shard; beyond that it is a sample. */
export const MEASURE_TENANTS_MAX = 500;
/** The same where a tenant asks how busy it is, which it may do often. */
export const LOAD_TENANTS_MAX = 50;

/** Attempts with extras that one step forgets of a tenant. */
export const FORGET_SIZE_MAX = 500;

/** How often a worker says how many slots it has, and for how long that counts. */
export const ANNOUNCE_MS = 2_000;
export const ANNOUNCED_MS = 10_000;
/** How long Redis keeps the keys about workers when no step touches them. */
export const ANNOUNCED_KEPT_MS = 60_000;

/** Dispatcher shards; the same number in every process. */
export const SHARDS_MAX = 64;
/** BullMQ's queue inside a shard. */
export const READY_QUEUE = "ready";
/** All keys of a shard start with it; its hash tag keeps them on one node of a cluster. */
export const shardBase = (shard: number): string => `{bh:${shard}}`;
