import { Bytes, charCodeAt, fromCharCodes, indexOf, toText } from "./primordials.ts";
import { namedError } from "./errors.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

export function encodeBase64(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 3) {
    const left = bytes.length - i;
    const bits = ((bytes[i] as number) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    text += ALPHABET[bits >> 18] as string;
    text += ALPHABET[(bits >> 12) & 63] as string;
    text += left > 1 ? (ALPHABET[(bits >> 6) & 63] as string) : "=";
    text += left > 2 ? (ALPHABET[bits & 63] as string) : "=";
  }
  return text;
}

/** Forgiving as the web's `atob`: white space is skipped, padding may be missing. Null for anything else. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  const bytes = new Bytes(((text.length * 3) >> 2) + 3);
  let at = 0;
  let bits = 0;
  let held = 0;
  let padding = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = charCodeAt(text, i);
    if (unit === 0x20 || (unit >= 9 && unit <= 13 && unit !== 11)) continue;
    if (unit === 0x3d) padding++;
    else {
      const value = indexOf(ALPHABET, fromCharCodes(unit));
      if (value < 0 || padding > 0) return null;
      bits = ((bits << 6) | value) & 0xffffff;
      held += 6;
      if (held >= 8) {
        held -= 8;
        bytes[at++] = (bits >> held) & 255;
      }
    }
  }
  // Six bits alone are no byte; padding, where there is any, fills a group of four.
  const wrongPadding = padding > 0 && (padding > 2 || held !== padding * 2);
  return held === 6 || wrongPadding ? null : new Bytes(bytes.buffer, 0, at);
}

export function btoa(input: unknown): string {
  const text = toText(input);
  const bytes = new Bytes(text.length);
  for (let i = 0; i < text.length; i++) {
    const unit = charCodeAt(text, i);
    if (unit > 255) throw namedError("InvalidCharacterError", "btoa takes characters up to U+00FF only");
    bytes[i] = unit;
  }
  return encodeBase64(bytes);
}

export function atob(input: unknown): string {
  const bytes = decodeBase64(toText(input));
  if (bytes === null) throw namedError("InvalidCharacterError", "the text is not base64");
  let text = "";
  for (let i = 0; i < bytes.length; i++) text += fromCharCodes(bytes[i] as number);
  return text;
}
