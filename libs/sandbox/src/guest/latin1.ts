import { fromCharCodes } from "./primordials.ts";

/** Characters per call of String.fromCharCode: well under the stack's limit. */
const BLOCK = 4_096;

/** One character for each byte, so that positions in the text are positions in the bytes. */
export function latin1(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += BLOCK) text += fromCharCodes(...bytes.subarray(at, at + BLOCK));
  return text;
}
