// The three records of APPNOTE 6.3 (4.3.7, 4.3.12, 4.3.16): their signatures, and their bytes before the variable parts.

export const LOCAL_SIGNATURE = 0x04034b50;
export const LOCAL_BYTES = 30;
export const CENTRAL_SIGNATURE = 0x02014b50;
export const CENTRAL_BYTES = 46;
export const END_SIGNATURE = 0x06054b50;
export const END_BYTES = 22;
/** The comment behind the end record. */
export const COMMENT_BYTES_MAX = 0xffff;

export const STORED = 0;
export const DEFLATED = 8;

/** Set where a path is UTF-8. */
export const UTF8_FLAG = 0x0800;
/** Encrypted, patched, strongly encrypted, masked: what is in such an entry can't be read. */
export const UNREADABLE_FLAGS = 0x0001 | 0x0020 | 0x0040 | 0x2000;

/** Entries of one archive, folders included. */
export const ENTRIES_MAX = 2_000;
/** Bytes of all files of one archive, inflated. */
export const INFLATED_BYTES_MAX = 4 * 1024 * 1024;
/** Bytes of an entry's path. */
export const PATH_BYTES_MAX = 256;
