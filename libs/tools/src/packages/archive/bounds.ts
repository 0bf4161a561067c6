/** Entries of one archive, folders included. */
export const ENTRIES_MAX = 2_000;
/** Bytes of all files of one archive, inflated. */
export const INFLATED_BYTES_MAX = 4 * 1024 * 1024;
/** Bytes of an entry's path. */
export const PATH_BYTES_MAX = 256;
