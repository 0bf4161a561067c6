import { archivePathFault, Fault } from "@bulkhead/core";
import {
  CENTRAL_BYTES,
  CENTRAL_SIGNATURE,
  COMMENT_BYTES_MAX,
  DEFLATED,
  END_BYTES,
  END_SIGNATURE,
  ENTRIES_MAX,
  INFLATED_BYTES_MAX,
  PATH_BYTES_MAX,
  STORED,
  UNREADABLE_FLAGS,
} from "./zip-layout.ts";

/** `message` ends the sentence that its subject begins: the entry at `path`, or the archive where that is "". */
export const invalidArchive = (path: string, message: string, cause?: unknown): Fault =>
  new Fault("archive.invalid", {
    detail: `${path === "" ? "The archive" : path} ${message}.`,
    errors: [{ path, message }],
    cause,
  });

/** An entry as the directory tells it; nothing of its content has been looked at. */
export interface Entry {
  path: string;
  pathBytes: Buffer;
  isFolder: boolean;
  method: number;
  crc: number;
  packedBytes: number;
  bytes: number;
  /** Of its local header, from the start of the archive. */
  offset: number;
}

export interface Directory {
  entries: Entry[];
  /** The offset of the directory, before which all content must have ended. */
  offset: number;
}

/** Checks the sizes that are told before anything is inflated. Throws `archive.invalid`. */
export function readDirectory(zip: Buffer): Directory {
  const end = findEnd(zip);
  const count = zip.readUInt16LE(end + 10);
  const offset = zip.readUInt32LE(end + 16);
  // Another disk's number, another count and the marks of zip64 all make a difference here.
  const isWhole = zip.readUInt32LE(end + 4) === 0 && zip.readUInt16LE(end + 8) === count;
  if (!isWhole || offset + zip.readUInt32LE(end + 12) !== end) {
    throw invalidArchive("", "is in parts, is a zip64, or its directory is not where it says");
  }
  if (count > ENTRIES_MAX) throw invalidArchive("", `has ${count} entries; ${ENTRIES_MAX} are the most`);
  const entries: Entry[] = [];
  let at = offset;
  for (let n = 0; n < count; n += 1) {
    const { entry, next } = readEntry(zip, at, end);
    entries.push(entry);
    at = next;
  }
  if (at !== end) throw invalidArchive("", "has a directory of another size than it says");
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  if (bytes > INFLATED_BYTES_MAX) {
    throw invalidArchive("", `holds ${bytes} bytes inflated; ${INFLATED_BYTES_MAX} are the most`);
  }
  return { entries, offset };
}

/** The end record is the last thing but its comment, whose length must fit exactly. */
function findEnd(zip: Buffer): number {
  const last = zip.length - END_BYTES;
  for (let at = last; at >= Math.max(0, last - COMMENT_BYTES_MAX); at -= 1) {
    if (zip.readUInt32LE(at) === END_SIGNATURE && zip.readUInt16LE(at + 20) === last - at) return at;
  }
  throw invalidArchive("", "is no zip: it has no end record");
}

function readEntry(zip: Buffer, at: number, end: number): { entry: Entry; next: number } {
  if (at + CENTRAL_BYTES > end || zip.readUInt32LE(at) !== CENTRAL_SIGNATURE) {
    throw invalidArchive("", "has a broken directory");
  }
  const pathEnd = at + CENTRAL_BYTES + zip.readUInt16LE(at + 28);
  const next = pathEnd + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  if (next > end) throw invalidArchive("", "has a broken directory");
  const pathBytes = zip.subarray(at + CENTRAL_BYTES, pathEnd);
  const path = readPath(pathBytes);
  const entry = {
    path,
    pathBytes,
    isFolder: path.endsWith("/"),
    method: zip.readUInt16LE(at + 10),
    crc: zip.readUInt32LE(at + 16),
    packedBytes: zip.readUInt32LE(at + 20),
    bytes: zip.readUInt32LE(at + 24),
    offset: zip.readUInt32LE(at + 42),
  };
  refuseStrange(entry, zip.readUInt16LE(at + 8), zip.readUInt16LE(at + 40));
  return { entry, next };
}

/** `S_IFMT` of a Unix mode, and what of it is neither link, device nor pipe: not told, folder, file. */
const FILE_TYPE = 0xf000;
const PLAIN_TYPES = [0, 0x4000, 0x8000];

function refuseStrange({ path, isFolder, method, bytes }: Entry, flags: number, mode: number): void {
  if ((flags & UNREADABLE_FLAGS) !== 0) throw invalidArchive(path, "is encrypted or a patch");
  if (!PLAIN_TYPES.includes(mode & FILE_TYPE)) throw invalidArchive(path, "is a link or no file at all");
  if (method !== STORED && method !== DEFLATED) {
    throw invalidArchive(path, `is packed by method ${method}; only stored (0) and deflate (8) are read`);
  }
  if (isFolder && bytes > 0) throw invalidArchive(path, "is a folder with content");
}

/** The path of an entry as text. Throws `archive.invalid` for one that leaves its folder, and for what is no relative path. */
function readPath(bytes: Buffer): string {
  if (bytes.length > PATH_BYTES_MAX) {
    throw invalidArchive("", `holds a path of ${bytes.length} bytes; ${PATH_BYTES_MAX} are the most`);
  }
  const path = decode(bytes);
  // Of a folder the last `/` only tells that it is one.
  const fault = archivePathFault(path.endsWith("/") ? path.slice(0, -1) : path);
  if (fault !== null) throw invalidArchive("", fault);
  return path;
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw invalidArchive("", "holds a path that is not UTF-8", cause);
  }
}
