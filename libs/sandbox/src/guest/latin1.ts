import { fromCharCodes } from "./primordials.ts";

/** Characters per call of String.fromCharCode: well under what the stack holds. */
const BLOCK = 4_096;

/** One character for each byte, so that places in the text are places in the bytes. */
export function latin1(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += BLOCK) text += fromCharCodes(...bytes.subarray(at, at + BLOCK));
  return text;
}
