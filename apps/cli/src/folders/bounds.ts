/** Files and folders that are looked at in one folder, those that are no tools included. */
export const ENTRIES_MAX = 50_000;
/** Folders within folders. */
export const DEPTH_MAX = 8;
/** Tools of one folder, and of one module. */
export const TOOLS_MAX = 5_000;
export const MODULE_TOOLS_MAX = 500;
/** Bytes of one source, manifest, README or example, and of a file in a package. */
export const FILE_BYTES_MAX = 4 * 1024 * 1024;
/** Bytes of a `bulkhead.yaml`. */
export const TOOLSETS_BYTES_MAX = 256 * 1024;
/** Bytes of the lock file of a package manager. */
export const LOCK_BYTES_MAX = 32 * 1024 * 1024;
/** Bytes of all files that one module brings along, before what is not used is left out. */
export const GRAPH_BYTES_MAX = 64 * 1024 * 1024;
/** Texts whose types are taken out at a time. */
export const STRIPPED_AT_ONCE = 4;
/** Modules that are bundled and described at a time. */
export const MODULES_AT_ONCE = 4;
/** A module's time to be bundled, in milliseconds. */
export const BUNDLE_MS_MAX = 60_000;
/** A module's time to be evaluated and described, in milliseconds; bytes of its description; its heap in MiB. */
export const DESCRIBE_MS_MAX = 10_000;
export const DESCRIBE_BYTES_MAX = 16 * 1024 * 1024;
export const DESCRIBE_HEAP_MIB_MAX = 256;
/** Bytes of one module's tools as they are kept, and of all that are kept on disk and in memory; how many on disk. */
export const KEPT_MODULE_BYTES_MAX = 16 * 1024 * 1024;
export const KEPT_DISK_BYTES_MAX = 256 * 1024 * 1024;
export const KEPT_MEMORY_BYTES_MAX = 64 * 1024 * 1024;
export const KEPT_FILES_MAX = 20_000;
/** Milliseconds by which the time of a file may be behind the clock. */
export const CLOCK_MS = 20;
/** Faults of one folder; more help nobody. */
export const FAULTS_MAX = 1_000;
/** Lines of a code frame before and behind the one that is meant, and characters of each. */
export const FRAME_LINES_AROUND = 2;
export const FRAME_CHARS_MAX = 200;
/** Characters of a message or a stack that somebody else's code wrote. */
export const MESSAGE_CHARS_MAX = 2_000;
