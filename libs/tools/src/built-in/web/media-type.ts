/** Bytes in which a page may name its own encoding (HTML, 13.2.3.2). */
const PRESCAN_BYTES = 1_024;
const META_CHARSET = /<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w.:-]{1,40})/i;
const HEADER_CHARSET = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i;

/** Byte order marks (Encoding standard, 6), and their encodings. */
const MARKS: readonly (readonly [label: string, mark: readonly number[]])[] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16be", [0xfe, 0xff]],
  ["utf-16le", [0xff, 0xfe]],
];

/** The type of a Content-Type header in lower case, without its parameters; empty where there is none. */
export const mediaTypeOf = (contentType: string): string =>
  (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();

/**
 * The text, in the encoding of its byte order mark, else of the header, else of the page's `<meta>`, else UTF-8. The mark
 * is left out, and invalid bytes become U+FFFD.
 */
export function decodeBytes(bytes: Uint8Array, contentType: string): string {
  const start = Buffer.from(bytes.subarray(0, PRESCAN_BYTES)).toString("latin1");
  const label =
    markedEncoding(bytes) ??
    HEADER_CHARSET.exec(contentType)?.[1] ??
    META_CHARSET.exec(start)?.[1] ??
    "utf-8";
  return decoderFor(label).decode(bytes);
}

const markedEncoding = (bytes: Uint8Array): string | undefined =>
  MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0];

function decoderFor(label: string): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}

/** By its type, or by its first bytes where its server knows no better one. */
export const isPdf = (contentType: string, bytes: Uint8Array): boolean => {
  const type = mediaTypeOf(contentType);
  if (type === "application/pdf" || type === "application/x-pdf") return true;
  const isUnknown = type === "" || type === "application/octet-stream" || type === "binary/octet-stream";
  return isUnknown && Buffer.from(bytes.subarray(0, 5)).toString("latin1") === "%PDF-";
};
