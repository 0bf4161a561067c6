/** UTF-8 bytes of a schema as JSON. */
export const SCHEMA_BYTES_MAX = 64 * 1024;
/** JSON levels of a schema; an object within an object's properties takes two. */
export const SCHEMA_DEPTH_MAX = 32;
/** JSON values in a schema, all keywords and enum members counted. */
export const SCHEMA_NODES_MAX = 2_000;
/** JSON levels of arguments and of results that a schema is given for. */
export const VALUE_DEPTH_MAX = 64;
/** Faults named in one answer. */
export const FAULTS_MAX = 20;
/** Characters of one fault's message or path; schemas may hold long names and enums. */
export const FAULT_CHARS_MAX = 300;
/** Characters of one regular expression; compiling takes about 12 ms at the bound. */
export const PATTERN_CHARS_MAX = 1_000;
/** Expressions that one pattern with lookaround may become. */
export const PATTERN_PARTS_MAX = 60;
/** Defaults of one schema that are held against it, and characters of one as JSON: each takes about 0.5 ms. */
export const DEFAULTS_CHECKED_MAX = 20;
export const DEFAULT_CHARS_MAX = 1_000;
/** Patterns of one schema that are warned of because they can't be checked. */
export const WARNINGS_MAX = 20;
/** Characters of a string that a `format` is checked on; a longer one doesn't match. */
export const FORMAT_CHARS_MAX = 4_096;

/** Schemas with more JSON values are compiled in a thread: compiling takes about 60 µs for each. */
export const INLINE_NODES_MAX = 200;
/** Schema values times argument values (and characters) checked on the caller's thread: about 10 ms at the very worst. */
export const INLINE_STEPS_MAX = 500_000;
/** A division counts for so many of them: with hundreds of digits on either side it takes 6 µs. */
export const DIVISION_STEPS = 300;
/** The same bound for naming every fault instead of the first. */
export const ALL_FAULTS_STEPS_MAX = 50_000;
/** Schemas kept inspected, and compiled where they are cheap. */
export const COMPILED_MAX = 500;
/** Schemas kept compiled in each thread; the largest take about 2 MiB each. */
export const THREAD_COMPILED_MAX = 30;

/** Threads for checks that are not linear by construction; started when first needed. */
export const THREADS_MAX = 2;
/** A thread's time for one check, in milliseconds; then it is ended and replaced. */
export const THREAD_MS_MAX = 250;
/** More time for each JSON value of the schema, in milliseconds: compiling is linear, but slow, and slower when cold. */
export const THREAD_MS_PER_NODE = 0.25;
/** Checks that may wait for a thread, of one tenant and of all. */
export const THREAD_QUEUE_MAX = { ofTenant: 100, ofAll: 400 };
/** How long one waits, in milliseconds: for a thread to start on a busy machine, too. */
export const THREAD_WAIT_MS_MAX = 15_000;
export const THREAD_HEAP_MIB_MAX = 128;
