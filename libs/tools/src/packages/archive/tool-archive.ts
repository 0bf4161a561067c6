import type { ArchiveFile, ToolArchive } from "@bulkhead/core";
import { crc32, deflateRawSync, inflateRawSync } from "node:zlib";
import { invalidArchive, readDirectory, type Entry } from "./central-directory.ts";
import {
  CENTRAL_BYTES,
  CENTRAL_SIGNATURE,
  DEFLATED,
  END_BYTES,
  END_SIGNATURE,
  LOCAL_BYTES,
  LOCAL_SIGNATURE,
  STORED,
  UTF8_FLAG,
} from "./zip-layout.ts";

/** Zip as APPNOTE 6.3 describes it, without what tools have no use for: zip64, encryption, parts, links. */
export const toolArchive: ToolArchive = { read: readArchive, write: writeArchive };

/** The version that can unpack deflate (2.0), and that it was written under Unix, so that the mode is read. */
const VERSION = 20;
const UNIX = 3 << 8;
/** 1980-01-01 in MS-DOS: the first day there is. No clock, so that the same files make the same bytes. */
const FIRST_DAY = 0x0021;
/** A plain file, mode 644. */
const MODE = 0o100644 << 16;

/** The files without the folders. Throws `archive.invalid`. */
function readArchive(zip: Uint8Array): ArchiveFile[] {
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

/** The place of an entry's content, by its local header, which must be of the same path and method. */
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

/** Needs paths, counts and sizes that fit without zip64, which the exports' bounds see to. */
function writeArchive(files: readonly ArchiveFile[]): Uint8Array {
  const contents: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { path, bytes } of files) {
    const name = Buffer.from(path);
    const packed = deflateRawSync(bytes);
    const shared = sharedFields(name, packed, bytes);
    const local = Buffer.alloc(LOCAL_BYTES);
    local.writeUInt32LE(LOCAL_SIGNATURE, 0);
    shared.copy(local, 4);
    contents.push(local, name, packed);
    directory.push(centralHeader(shared, offset), name);
    offset += LOCAL_BYTES + name.length + packed.length;
  }
  const directoryBytes = directory.reduce((sum, part) => sum + part.length, 0);
  const end = Buffer.alloc(END_BYTES);
  end.writeUInt32LE(END_SIGNATURE, 0);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(directoryBytes, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...contents, ...directory, end]);
}

/** The fields that the local and the central header share: from the version to the length of the extra field. */
function sharedFields(name: Buffer, packed: Buffer, bytes: Uint8Array): Buffer {
  const fields = Buffer.alloc(LOCAL_BYTES - 4);
  fields.writeUInt16LE(VERSION, 0);
  fields.writeUInt16LE(UTF8_FLAG, 2);
  fields.writeUInt16LE(DEFLATED, 4);
  fields.writeUInt16LE(FIRST_DAY, 8);
  fields.writeUInt32LE(crc32(bytes), 10);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(bytes.length, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}

function centralHeader(shared: Buffer, offset: number): Buffer {
  const header = Buffer.alloc(CENTRAL_BYTES);
  header.writeUInt32LE(CENTRAL_SIGNATURE, 0);
  header.writeUInt16LE(UNIX | VERSION, 4);
  shared.copy(header, 6);
  header.writeUInt32LE(MODE >>> 0, 38);
  header.writeUInt32LE(offset, 42);
  return header;
}
