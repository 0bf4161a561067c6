import { pipeline } from "node:stream/promises";
import type { Transform } from "node:stream";
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from "node:zlib";
import { CODINGS_MAX } from "./bounds.ts";

export type Bytes = AsyncIterable<Buffer>;

const CODINGS = ["gzip", "deflate", "br", "zstd"] as const;
type Coding = (typeof CODINGS)[number];

/** The codings that the broker offers to servers. */
export const ACCEPT_ENCODING = CODINGS.join(", ");

/** The codings of a body, outermost first; null when one is unknown or there are too many, and the body stays as it is. */
export function readCodings(header: string | undefined): Coding[] | null {
  const names = (header ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim());
  const codings = names
    .filter((name) => name !== "" && name !== "identity")
    .map((name) => CODINGS.find((known) => known === name || `x-${known}` === name));
  if (codings.length > CODINGS_MAX || codings.includes(undefined)) return null;
  return codings.filter((coding) => coding !== undefined).toReversed();
}

/** Takes one coding off as the bytes come, so that a bomb grows no further than its reader lets it. An empty body stays empty. */
export async function* decodeBody(coding: Coding, source: Bytes): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done === true) return;
  const decoder = DECODERS[coding](first.value);
  const fed = pipeline(rejoin(first.value, chunks), decoder).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  yield* decoder;
  const failure = await fed;
  if (failure) throw failure.error;
}

async function* rejoin(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* { [Symbol.asyncIterator]: () => rest };
}

const DECODERS: Record<Coding, (first: Buffer) => Transform> = {
  gzip: () => createGunzip(),
  br: () => createBrotliDecompress(),
  // RFC 9659 bounds the window to 8 MiB on the web; the library would take 128.
  zstd: () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: 23 } }),
  // Some servers leave out the zlib wrapper that the standard asks for.
  deflate: (first) => (((first[0] ?? 0) & 0x0f) === 0x08 ? createInflate() : createInflateRaw()),
};
