/** Isolates that stay warm in one process, each with its own heap limit. */
export const ISOLATES_MAX = 4;
/** Isolates for one tool version; only one of them runs at a time. */
export const TWINS_MAX = 2;

/** Runs after which an isolate is replaced by a new one; its heap was found no larger after 20,000. */
export const ISOLATE_RUNS_MAX = 5_000;

/** How often CPU time, resident memory and the deadline of a run are looked at, in milliseconds. */
export const SAMPLE_MS = 20;

/** The growth of a process in one run on top of the heap limit: stacks, compiled code, copies on their way out. */
export const RSS_OVERHEAD_MIB = 64;

/** Timers of one run that may wait at one time; the guest keeps the same bound and says so. */
export const TIMERS_MAX = 1_000;

/** The shortest interval, so that a repeating timer can't keep the main thread busy. */
export const INTERVAL_MS_MIN = 4;

/** The guest's end of synchronous code comes so much later than the run's own deadline, which reports first. */
export const SYNC_GRACE_MS = 50;
