import type { ArchiveFile } from "@bulkhead/core";
import { crc32, inflateRawSync } from "node:zlib";
import { readDirectory, type Entry } from "./central-directory.ts";
import { invalidArchive } from "./invalid-archive.ts";
import { LOCAL_BYTES, LOCAL_SIGNATURE, STORED } from "./zip-layout.ts";

/** The files without the folders. Throws `archive.invalid`. */
export function readArchive(zip: Uint8Array): ArchiveFile[] {
  const bytes = Buffer.from(zip.buffer, zip.byteOffset, zip.byteLength);
  const { entries, offset } = readDirectory(bytes);
  refuseDoubles(entries);
  const placed = entries.map((entry) => ({ entry, ...findContent(bytes, entry, offset) }));
  refuseOverlaps(placed);
  return placed
    .filter(({ entry }) => !entry.isFolder)
    .map(({ entry, start, end }) => ({ path: entry.path, bytes: unpack(entry, bytes.subarray(start, end)) }));
}

function refuseDoubles(entries: readonly Entry[]): void {
  const seen = new Set<string>();
  for (const { path } of entries) {
    if (seen.has(path)) throw invalidArchive(path, "stands in the archive twice");
    seen.add(path);
  }
}

/** Where the content is, by the entry's local header, which must be of the same path and method. */
function findContent(zip: Buffer, entry: Entry, contentEnd: number): { start: number; end: number } {
  const { offset, path, pathBytes } = entry;
  const broken = invalidArchive(path, "has no header that agrees with the directory");
  if (offset + LOCAL_BYTES > contentEnd || zip.readUInt32LE(offset) !== LOCAL_SIGNATURE) throw broken;
  const pathStart = offset + LOCAL_BYTES;
  const pathEnd = pathStart + zip.readUInt16LE(offset + 26);
  const start = pathEnd + zip.readUInt16LE(offset + 28);
  const end = start + entry.packedBytes;
  const agrees = zip.subarray(pathStart, pathEnd).equals(pathBytes);
  if (end > contentEnd || !agrees || zip.readUInt16LE(offset + 8) !== entry.method) throw broken;
  return { start, end };
}

/** Entries that share content are how a small archive pretends to hold much. */
function refuseOverlaps(placed: readonly { entry: Entry; end: number }[]): void {
  let free = 0;
  for (const { entry, end } of placed.toSorted((a, b) => a.entry.offset - b.entry.offset)) {
    if (entry.offset < free) throw invalidArchive(entry.path, "overlaps another entry");
    free = end;
  }
}

function unpack({ path, method, bytes, crc }: Entry, packed: Buffer): Uint8Array {
  const content = method === STORED ? packed : inflate(path, packed, bytes);
  if (content.length !== bytes) throw invalidArchive(path, "is not as long as the directory says");
  if (crc32(content) !== crc) throw invalidArchive(path, "does not have the checksum of the directory");
  return content;
}

/** Stops where there is more than was told. All files together are small enough to be inflated without a pause. */
function inflate(path: string, packed: Buffer, bytes: number): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, bytes) });
  } catch (cause) {
    throw invalidArchive(path, "can't be inflated to the length that the directory says", cause);
  }
}
