import { decodeUtf8, encodeUtf8 } from "../utf8.ts";
import { takeText, wrongKind } from "./arguments.ts";

/** Standard alphabet, padded, of the text's UTF-8; a lone surrogate becomes U+FFFD. */
export const base64Encode = (text: string): string =>
  encodeUtf8(takeText("base64Encode", "text", text)).toBase64();

/**
 * The UTF-8 text behind base64, standard or url-safe, with padding or without, white space skipped; bytes that are
 * not UTF-8 become U+FFFD. Throws where the text is not base64.
 */
export function base64Decode(text: string): string {
  const given = takeText("base64Decode", "text", text).replaceAll("-", "+").replaceAll("_", "/");
  try {
    return textOf(Uint8Array.fromBase64(given));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw wrongKind("base64Decode", "text is not base64");
  }
}

/** As encodeURIComponent; a lone surrogate becomes U+FFFD where that would throw. */
export const urlEncode = (text: string): string =>
  encodeURIComponent(takeText("urlEncode", "text", text).toWellFormed());

/** As decodeURIComponent, so that `+` stays a plus, but bytes that are not UTF-8 become U+FFFD. Throws where an escape is broken. */
export function urlDecode(text: string): string {
  const given = takeText("urlDecode", "text", text);
  try {
    return decodeURIComponent(given);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    if (BROKEN_ESCAPE.test(given)) throw wrongKind("urlDecode", "text has an escape that is not in %XX form");
    return given.replace(ESCAPES, (escapes) => textOf(Uint8Array.fromHex(escapes.replaceAll("%", ""))));
  }
}

const BROKEN_ESCAPE = /%(?![0-9a-f]{2})/i;
const ESCAPES = /(?:%[0-9a-f]{2})+/gi;

/** Two lower-case digits for each byte of the text's UTF-8. */
export const hexEncode = (text: string): string => encodeUtf8(takeText("hexEncode", "text", text)).toHex();

/** The UTF-8 text behind hexadecimal of either case. Throws where it is not pairs of hexadecimal digits. */
export function hexDecode(hex: string): string {
  const given = takeText("hexDecode", "hex", hex);
  try {
    return textOf(Uint8Array.fromHex(given));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw wrongKind("hexDecode", "hex must be pairs of hexadecimal digits");
  }
}

/** A byte order mark is part of the text here, or encoding and decoding would not be inverse. */
const textOf = (bytes: Uint8Array): string =>
  (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? "\u{feff}" : "") + decodeUtf8(bytes, false);
