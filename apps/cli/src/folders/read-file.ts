import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { FILE_BYTES_MAX, MESSAGE_CHARS_MAX } from "./bounds.ts";
import type { FolderFaultCode } from "./loaded-folder.ts";

/** Why a file is not read; the message goes behind the file's name. */
export class RefusedFile extends Error {
  override readonly name = "RefusedFile";
  readonly code: FolderFaultCode;

  constructor(code: FolderFaultCode, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * The bytes of a plain file. Throws `RefusedFile` for links, pipes, devices and what is too large; a file that grows meanwhile
 * is not read beyond the bound. Never waits for a pipe's other end.
 */
export async function readBounded(path: string, bytesMax = FILE_BYTES_MAX): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error: NodeJS.ErrnoException) => {
      throw error.code === "ELOOP" ? linkRefused() : unreadable(error);
    },
  );
  try {
    const { size } = await plainStat(file);
    if (size > bytesMax) throw tooLarge(bytesMax);
    const buffer = Buffer.allocUnsafe(size);
    let filled = 0;
    while (filled < size) {
      const { bytesRead } = await file.read(buffer, filled, size - filled, filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return buffer.subarray(0, filled);
  } catch (error) {
    throw error instanceof RefusedFile ? error : unreadable(error);
  } finally {
    await file.close();
  }
}

async function plainStat(file: Awaited<ReturnType<typeof open>>) {
  const stat = await file.stat();
  if (!stat.isFile()) throw new RefusedFile("file.kind", "is no plain file (a folder, a pipe or a device)");
  return stat;
}

/** The text of a plain file in UTF-8. Throws `RefusedFile`. */
export async function readText(path: string, bytesMax = FILE_BYTES_MAX): Promise<string> {
  const bytes = await readBounded(path, bytesMax);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new RefusedFile("file.unreadable", "is no text in UTF-8");
  }
}

export const linkRefused = (): RefusedFile =>
  new RefusedFile("file.link", "is a symbolic link, which is not followed: put the file itself there");

const tooLarge = (bytesMax: number): RefusedFile =>
  new RefusedFile("file.too_large", `is larger than ${bytesMax / 1024 / 1024} MiB`);

const unreadable = (error: unknown): RefusedFile =>
  new RefusedFile("file.unreadable", `can't be read: ${messageOf(error)}`);

/** The message of whatever was thrown. */
export const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, MESSAGE_CHARS_MAX);
