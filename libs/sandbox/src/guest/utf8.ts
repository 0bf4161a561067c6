import { Bytes, bytesSlice, charCodeAt, fromCharCodes, apply, isView } from "./primordials.ts";
import { utf8Bytes } from "./budget.ts";

const REPLACEMENT = 0xfffd;
/** Characters per call of String.fromCharCode: well under the stack's limit. */
const BLOCK = 4_096;

export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Bytes(utf8Bytes(text, Infinity));
  let at = 0;
  for (let i = 0; i < text.length; i++) {
    let point = charCodeAt(text, i);
    if (point >= 0xd800 && point < 0xe000) {
      const low = point < 0xdc00 ? charCodeAt(text, i + 1) : 0;
      if (low >= 0xdc00 && low < 0xe000) {
        point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
        i++;
      } else point = REPLACEMENT;
    }
    if (point < 0x80) bytes[at++] = point;
    else {
      if (point < 0x800) bytes[at++] = 0xc0 | (point >> 6);
      else {
        if (point < 0x10000) bytes[at++] = 0xe0 | (point >> 12);
        else {
          bytes[at++] = 0xf0 | (point >> 18);
          bytes[at++] = 0x80 | ((point >> 12) & 63);
        }
        bytes[at++] = 0x80 | ((point >> 6) & 63);
      }
      bytes[at++] = 0x80 | (point & 63);
    }
  }
  return bytes;
}

/** The code point that starts at `at` and how many bytes it takes; WHATWG's ranges, so that no overlong form passes. */
function pointAt(bytes: Uint8Array, at: number): { point: number; length: number; valid: boolean } {
  const first = bytes[at] as number;
  if (first < 0x80) return { point: first, length: 1, valid: true };
  const needed =
    first >= 0xc2 && first <= 0xdf ? 1 : first >> 4 === 0xe ? 2 : first >= 0xf0 && first <= 0xf4 ? 3 : 0;
  if (needed === 0) return { point: REPLACEMENT, length: 1, valid: false };
  let point = first & (0x3f >> needed);
  for (let i = 1; i <= needed; i++) {
    const next = bytes[at + i] ?? 0;
    const low = i > 1 ? 0x80 : first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
    const high = i > 1 ? 0xbf : first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
    if (next < low || next > high) return { point: REPLACEMENT, length: i, valid: false };
    point = (point << 6) | (next & 0x3f);
  }
  return { point, length: needed + 1, valid: true };
}

/** Throws a TypeError for invalid UTF-8 if `fatal`, else writes U+FFFD. A byte order mark is dropped unless it is kept. */
export function decodeUtf8(bytes: Uint8Array, fatal: boolean, keepsMark = false): string {
  let text = "";
  let units: number[] = [];
  let at = !keepsMark && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (at < bytes.length) {
    const first = bytes[at] as number;
    if (first < 0x80) {
      units[units.length] = first;
      at++;
    } else {
      const { point, length, valid } = pointAt(bytes, at);
      if (!valid && fatal) throw new TypeError("The encoded data was not valid for encoding utf-8");
      at += length;
      if (point < 0x10000) units[units.length] = point;
      else {
        units[units.length] = 0xd800 + ((point - 0x10000) >> 10);
        units[units.length] = 0xdc00 + ((point - 0x10000) & 0x3ff);
      }
    }
    if (units.length >= BLOCK) {
      text += apply(fromCharCodes, undefined, units);
      units = [];
    }
  }
  return text + apply(fromCharCodes, undefined, units);
}

/** The start of a last sequence that more bytes could complete; the length if there is none. */
export function lastWholeUtf8(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const at = bytes.length - back;
    const byte = bytes[at] as number;
    if (byte < 0x80) break;
    if (byte >= 0xc0) {
      const { length, valid } = pointAt(bytes, at);
      // Broken already, or broken only by its end.
      return !valid && length === back && byte >= 0xc2 && byte <= 0xf4 ? at : bytes.length;
    }
  }
  return bytes.length;
}

/** The bytes of a buffer or of any view, not copied; null for everything else. */
export function bytesOf(value: unknown): Uint8Array<ArrayBuffer> | null {
  if (isView(value)) return new Bytes(value.buffer as ArrayBuffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer) return new Bytes(value);
  return null;
}

/** A copy that shares nothing with the tool's own buffer. */
export const copyBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => bytesSlice(bytes);
