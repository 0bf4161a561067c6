/** Processes that do jobs of one kind; started when first needed. */
export const PROCESSES_MAX = 2;
/** A process without a job for so long, in milliseconds, is ended. */
export const PROCESS_IDLE_MS_MAX = 30_000;
/** A process's time to start, in milliseconds; loading takes about 250 on a quiet machine. */
export const PROCESS_START_MS_MAX = 10_000;

/** Jobs of one tenant that may wait; one more is being done. */
export const WAITING_PER_TENANT_MAX = 16;
/** Jobs of all tenants that may wait. */
export const WAITING_MAX = 64;

/** A process's memory, what is outside of its heap included, is looked at so often, in milliseconds. */
export const WATCH_MS = 50;
