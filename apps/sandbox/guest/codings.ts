import { fromCharCodes, toLowerCase, toText, trim } from "./primordials.ts";
import { decodeUtf8, lastWholeUtf8 } from "./utf8.ts";

/** Decodes a whole run of bytes and says how many at the end need more to follow. */
export interface Coding {
  decode(bytes: Uint8Array, fatal: boolean): string;
  whole(bytes: Uint8Array): number;
}

const utf16 = (high: 0 | 1): Coding => ({
  decode: (bytes, fatal) => {
    let text = "";
    for (let i = 0; i + 1 < bytes.length; i += 2)
      text += fromCharCodes(((bytes[i + 1 - high] as number) << 8) | (bytes[i + high] as number));
    if (bytes.length % 2 > 0) text += "\ud800";
    if (fatal && !text.isWellFormed()) throw new TypeError("The encoded data was not valid UTF-16");
    return text.toWellFormed();
  },
  whole: (bytes) => {
    const even = bytes.length - (bytes.length % 2);
    const last = even >= 2 ? (bytes[even - 1 - high] as number) : 0;
    return last >= 0xd8 && last <= 0xdb ? even - 2 : even;
  },
});

/** U+0080 to U+009F, where windows-1252 has letters of its own. */
const WINDOWS_1252 =
  "\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178";

const CODINGS: Record<string, Coding> = {
  "utf-8": { decode: (bytes, fatal) => decodeUtf8(bytes, fatal, true), whole: lastWholeUtf8 },
  "utf-16le": utf16(0),
  "utf-16be": utf16(1),
  "windows-1252": {
    decode: (bytes) => {
      let text = "";
      for (let i = 0; i < bytes.length; i++) {
        const byte = bytes[i] as number;
        text += byte >= 0x80 && byte < 0xa0 ? WINDOWS_1252[byte - 0x80] : fromCharCodes(byte);
      }
      return text;
    },
    whole: (bytes) => bytes.length,
  },
};

/** The encoding standard's names of each coding. */
const LABELS: Record<string, string> = {
  "utf-8": "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8",
  "utf-16le": "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le",
  "utf-16be": "unicodefffe utf-16be",
  "windows-1252":
    "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 iso_8859-1 " +
    "iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252",
};

/** By any of its names, in any case and with spaces around it. Throws a RangeError for one that is not supported. */
export function findCoding(label: unknown): { encoding: string; coding: Coding } {
  const name = toLowerCase(trim(toText(label)));
  const encoding = Object.keys(LABELS).find((one) => LABELS[one]?.split(" ").includes(name));
  const coding = encoding === undefined ? undefined : CODINGS[encoding];
  if (encoding === undefined || coding === undefined)
    throw new RangeError(`the encoding ${name.slice(0, 64)} is not supported`);
  return { encoding, coding };
}
