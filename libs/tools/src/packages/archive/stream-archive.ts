import type { StreamedFile } from "@bulkhead/core";
import { addAbortSignal, Readable, type Duplex } from "node:stream";
import { ZipFile } from "yazl";

/** Bytes that are compressed, and that wait for the reader, at a time. */
const PIECE_BYTES = 64 * 1024;
/** No clock: nothing in an archive tells when it was written but its files. */
const MTIME = new Date(Date.UTC(2000, 0, 1));

/**
 * A zip that is made as fast as it is read: files one after the other, each with its length and checksum behind it, and Zip64
 * where a file or the whole passes 4 GiB. What a file's text throws ends the stream with that error; so does `signal`, and then
 * no text is asked for any more.
 */
export function streamArchive(files: readonly StreamedFile[], signal: AbortSignal): Readable {
  const zip = new ZipFile();
  // It is a Duplex, though the types call it less.
  const out = addAbortSignal(signal, zip.outputStream as Duplex);
  const texts = new Set<Readable>();
  const fail = (error: Error): void => void out.destroy(error);
  for (const { path, text } of files) {
    zip.addReadStreamLazy(path, { mtime: MTIME, forceDosTimestamp: true }, (ready) => {
      const bytes = Readable.from(piecesOf(text()), { objectMode: false });
      texts.add(bytes);
      bytes.on("error", fail);
      bytes.once("close", () => texts.delete(bytes));
      ready(null, bytes);
    });
  }
  zip.on("error", fail);
  // A reader that leaves ends the text that it was at.
  out.once("close", () => {
    for (const bytes of texts) bytes.destroy();
  });
  zip.end();
  return out;
}

/** A line may be megabytes; what handles pieces does it in one go. */
async function* piecesOf(text: AsyncIterable<string>): AsyncGenerator<Buffer, void, undefined> {
  for await (const part of text) {
    const bytes = Buffer.from(part);
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
  }
}
