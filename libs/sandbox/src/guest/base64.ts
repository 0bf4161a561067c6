import { Bytes, charCodeAt, fromCharCodes, toText, methodOf } from "./primordials.ts";
import { namedError } from "./errors.ts";
import { requireArguments } from "./require-arguments.ts";

const toBase64 = methodOf(Uint8Array.prototype, "toBase64");
const fromBase64 = methodOf(
  Uint8Array as { fromBase64(text: string): Uint8Array<ArrayBuffer> },
  "fromBase64",
);

export const encodeBase64 = (bytes: Uint8Array): string => toBase64(bytes);

/** Forgiving as the web's `atob`: white space is skipped, padding may be missing. Null for anything else. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return fromBase64(Bytes, text);
  } catch {
    // The language's own error; each caller has its own words for it.
    return null;
  }
}

export function btoa(input: unknown): string {
  requireArguments("btoa", 1, arguments.length);
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
  requireArguments("atob", 1, arguments.length);
  const bytes = decodeBase64(toText(input));
  if (bytes === null) throw namedError("InvalidCharacterError", "the text is not base64");
  let text = "";
  for (let i = 0; i < bytes.length; i++) text += fromCharCodes(bytes[i] as number);
  return text;
}
