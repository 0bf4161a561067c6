const KIB = 1_024;
const MIB = 1_024 * KIB;

export const CWD_CHARS_MAX = 1_024;
/** Bytes of what a command is given on its standard input. */
export const STDIN_BYTES_MAX = 1 * MIB;
/** Variables of one command, the characters of a name, and of all names and values together. */
export const VARIABLES_MAX = 100;
export const VARIABLE_NAME_CHARS_MAX = 128;
export const ENVIRONMENT_CHARS_MAX = 32 * KIB;

/** Time of a command that its caller waits for, in milliseconds; it is no longer than the run's own. */
export const COMMAND_MS_DEFAULT = 60_000;
export const COMMAND_MS_MIN = 100;
export const COMMAND_MS_MAX = 300_000;
/** The wall time of a call of `exec` by itself: the longest command, its files before and after. Milliseconds. */
export const EXEC_WALL_MS = 300_000;
/** A command whose time is over has so long to stop by itself and have its files saved; then it is killed. Milliseconds. */
export const STOP_MS_MAX = 2_000;
/** A shell's process has so long to be ready. Milliseconds. */
export const SHELL_START_MS_MAX = 15_000;

/** Bytes that are kept of each of the two outputs; the rest is left out, and told. */
export const OUTPUT_BYTES_MAX = 128 * KIB;
/** Characters of one piece of output on its way. */
export const OUTPUT_PIECE_CHARS_MAX = 64 * KIB;

/** Files of a workspace that a shell can show. */
export const WORKSPACE_FILES_MAX = 20_000;
/** Bytes that one command reads of them. */
export const READ_BYTES_MAX = 128 * MIB;
/** Files and bytes of a workspace that real programs get: they have it in memory whole, beside what they write. */
export const PROGRAM_FILES_MAX = 2_000;
export const PROGRAM_BYTES_MAX = 32 * MIB;
/** Files that one command writes and removes, and the bytes that it writes. */
export const CHANGED_FILES_MAX = 1_000;
export const WRITTEN_BYTES_MAX = 32 * MIB;
/** Files, links and the like that are named as not saved, and characters of the reason of each. */
export const UNSAVED_MAX = 100;
export const WHY_CHARS_MAX = 500;

/** Memory of a shell's process: V8's heap, what its files in memory take, and all of it as the system counts. MiB. */
export const SHELL_HEAP_MIB_MAX = 256;
export const SHELL_FILES_MIB_MAX = 192;
export const SHELL_MEMORY_MIB_MAX = 768;
/** How often the system is asked what a process takes, in milliseconds. */
export const MEMORY_LOOK_MS = 200;

/** Commands of one tenant and of all on one worker at one time, and those that wait for a turn. */
export const TENANT_COMMANDS_MAX = 4;
export const COMMANDS_MAX = 8;
export const TENANT_WAITING_MAX = 32;
export const WAITING_MAX = 128;

/** One message either way: a file of the largest size in base64, or the list of all files. */
export const SHELL_FRAME_BYTES_MAX = 48 * MIB;
/** All that a shell says of one command: what it asks for, its output, and the files that it leaves, in base64. */
export const SHELL_SAID_BYTES_MAX = 256 * MIB;
/** How often a shell asks for each of its files, on average: once, or again where two commands of a pipe want it at once. */
export const READS_A_FILE_MAX = 4;

/** Time of a command in the background, in milliseconds. */
export const BACKGROUND_MS_DEFAULT = 600_000;
export const BACKGROUND_MS_MAX = 1_800_000;
/** Commands in the background on one worker; of a tenant's there is a bound over all workers. */
export const BACKGROUND_COMMANDS_MAX = 16;
/** Bytes that are kept of what one says, both outputs together. */
export const BACKGROUND_OUTPUT_BYTES_MAX = 256 * KIB;
/** Bytes of it that one question brings. */
export const OUTPUT_READ_BYTES_MAX = 64 * KIB;
/** How often a worker tells of a command and takes words to it, in milliseconds. */
export const BOARD_MS = 500;
/** How often it looks whether the key, the tenant and its settings let a command go on, in milliseconds. */
export const CALLER_LOOK_MS = 5_000;
export const PROCESS_ID_CHARS_MAX = 64;
/** Characters of a command that lists show. */
export const SHOWN_COMMAND_CHARS_MAX = 500;

/** A thread's time to read a command line, in milliseconds: the worst that was found takes 500, with as many rules as may be. */
export const READ_MS_MAX = 2_000;
/** Threads of a process that read command lines; no tenant holds them all. */
export const READERS_MAX = 2;
export const READER_HEAP_MIB_MAX = 128;
/** Lines that may wait for a thread, of one tenant and of all. */
export const READ_QUEUE_MAX = { ofTenant: 200, ofAll: 1_000 };
/** How long one waits, in milliseconds. */
export const READ_WAIT_MS_MAX = 5_000;
