import type { EgressResponse, Scrubber } from "@bulkhead/core";
import type { Bytes } from "./decode-body.ts";

/** Finds the exact values of the secrets that a host may know. */
export type Cover = Pick<Scrubber, "bytes">;
type Head = Pick<EgressResponse, "statusText" | "headers" | "url">;

/** A body as the tool may see it. If it breaks off, an end that could have become a secret is never shown. */
export async function* coverBytes(source: Bytes, cover: Cover): AsyncGenerator<Buffer> {
  const stream = cover.bytes();
  for await (const chunk of source) {
    const covered = toBuffer(stream.push(chunk));
    if (covered.length > 0) yield covered;
  }
  const rest = toBuffer(stream.end());
  if (rest.length > 0) yield rest;
}

/** A head as the tool may see it. */
export const coverHead = ({ statusText, headers, url }: Head, cover: Cover): Head => ({
  statusText: coverText(statusText, cover),
  headers: coverHeaders(headers, cover),
  url: coverText(url, cover),
});

/** A text without the exact values; patterns of unknown secrets stay, since a tool may be after a token of its own. */
export function coverText(text: string, cover: Cover, encoding: "utf8" | "latin1" = "utf8"): string {
  const stream = cover.bytes();
  const start = stream.push(Buffer.from(text, encoding));
  return Buffer.concat([start, stream.end()]).toString(encoding);
}

/** A header whose name is covered is left out. */
function coverHeaders(headers: Head["headers"], cover: Cover): Head["headers"] {
  // One look at all of them, since there is almost always no match, and each match counts once. Headers are text of one
  // byte a character and never hold the separator.
  const all = headers.flat().join("\0");
  const covered = coverText(all, cover, "latin1");
  if (covered === all) return headers;
  const texts = covered.split("\0");
  // A value with such a character removed it: then the rest can't be assigned to headers.
  if (texts.length !== 2 * headers.length) return [];
  return headers.flatMap(([name], at): Head["headers"] =>
    texts[2 * at] === name ? [[name, texts[2 * at + 1] ?? ""]] : [],
  );
}

const toBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
