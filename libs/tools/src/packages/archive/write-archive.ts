import type { ArchiveFile } from "@bulkhead/core";
import { crc32, deflateRawSync } from "node:zlib";
import {
  CENTRAL_BYTES,
  CENTRAL_SIGNATURE,
  DEFLATED,
  END_BYTES,
  END_SIGNATURE,
  LOCAL_BYTES,
  LOCAL_SIGNATURE,
  UTF8_FLAG,
} from "./zip-layout.ts";

/** The version that can unpack deflate (2.0), and that it was written under Unix, so that the mode is read. */
const VERSION = 20;
const UNIX = 3 << 8;
/** 1980-01-01 in MS-DOS: the first day there is. No clock, so that the same files make the same bytes. */
const FIRST_DAY = 0x0021;
/** A plain file, mode 644. */
const MODE = 0o100644 << 16;

/** Needs paths, counts and sizes that fit without zip64, which the exports' bounds see to. */
export function writeArchive(files: readonly ArchiveFile[]): Uint8Array {
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

/** What the local and the central header say in the same words: from the version to the length of the extra field. */
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
