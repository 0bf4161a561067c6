/** Bytes that the path of a socket may have on every system: 107 on Linux, 103 on macOS. */
const SOCKET_PATH_BYTES_MAX = 103;

/** Whether a socket may have this path; a deep data folder may leave no room for one. */
export const isSocketPath = (path: string): boolean => Buffer.byteLength(path) <= SOCKET_PATH_BYTES_MAX;
