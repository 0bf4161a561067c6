import { decodeBase64 } from "./base64.ts";
import { latin1 } from "./latin1.ts";
import { mediaTypeOf } from "./media-type.ts";

const FALLBACK_TYPE = "text/plain;charset=US-ASCII";
const IN_BASE64 = /; *base64$/i;
const EDGES = /^[\t\n\f\r ]+|[\t\n\f\r ]+$/g;
const HEX_PAIR = /^[0-9A-Fa-f]{2}$/;
const PERCENT = 0x25;

/** The media type and the bytes of a `data:` URL (as the URL parser writes it). Throws a TypeError for any other URL. */
export function readDataUrl(href: string): { type: string; bytes: Uint8Array<ArrayBuffer> } {
  const hash = href.indexOf("#");
  const text = href.slice("data:".length, hash < 0 ? undefined : hash);
  const comma = text.indexOf(",");
  if (comma < 0) throw new TypeError("the data: URL has no comma before its data");
  const said = text.slice(0, comma).replace(EDGES, "");
  const isBase64 = IN_BASE64.test(said);
  const named = said.replace(IN_BASE64, "");
  const raw = percentDecoded(text.slice(comma + 1));
  const bytes = isBase64 ? decodeBase64(latin1(raw)) : raw;
  if (bytes === null) throw new TypeError("the data: URL's data is not base64");
  const type = mediaTypeOf(named.startsWith(";") ? `text/plain${named}` : named);
  return { type: type === "" ? FALLBACK_TYPE : type, bytes };
}

/** A URL as the parser writes it has no character over one byte. */
function percentDecoded(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const pair = unit === PERCENT ? text.slice(at + 1, at + 3) : "";
    const isEscape = HEX_PAIR.test(pair);
    bytes[length++] = isEscape ? Number.parseInt(pair, 16) : unit;
    if (isEscape) at += 2;
  }
  return bytes.slice(0, length);
}
