import { open, rename, stat } from "node:fs/promises";

const LOG_BYTES_MAX = 8 * 1024 * 1024;
const TAIL_BYTES = 4_096;
const TAIL_LINES = 8;

/** Called at each start: a log that has grown past 8 MiB is set aside as `<file>.old`, replacing the one before. */
export async function rotateLog(file: string): Promise<void> {
  if ((await sizeOf(file)) > LOG_BYTES_MAX) await rename(file, `${file}.old`);
}

/** The size in bytes; 0 when there is no such file. */
export async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => null))?.size ?? 0;
}

/** The last lines written after byte `from`, for an error message. */
export async function logTail(file: string, from: number): Promise<string> {
  const size = await sizeOf(file);
  const start = Math.max(from, size - TAIL_BYTES);
  if (size <= start) return "(it printed nothing)";
  const handle = await open(file, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - start), 0, size - start, start);
    return buffer.toString("utf8", 0, bytesRead).trim().split("\n").slice(-TAIL_LINES).join("\n");
  } finally {
    await handle.close();
  }
}
