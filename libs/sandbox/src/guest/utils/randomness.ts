import { ask } from "../bridge.ts";
import { decodeBase64 } from "../base64.ts";

/** The host hands out no more at a time. */
const BYTES_MAX = 65_536;
const BYTES_MIN = 256;
const TWO_TO_32 = 4_294_967_296;
const TWO_TO_53 = 9_007_199_254_740_992;

let words = new Uint32Array(0);
let used = 0;

/** The next 32 random bits, from a store that the host fills with the expected need. */
function nextWord(expected: number): number {
  if (used >= words.length) {
    const bytes = Math.min(BYTES_MAX, Math.max(BYTES_MIN, expected * 4));
    const given = decodeBase64(ask("random", `${bytes}`, ""));
    if (given === null || given.length !== bytes) throw new Error("utils: randomness is not available");
    words = new Uint32Array(given.slice().buffer);
    used = 0;
  }
  return words[used++] as number;
}

/**
 * A whole number from 0 to `count` - 1, each equally likely (a draw that would favour some is repeated); `count` is at
 * most 2^53. `expected` says how many more the caller is about to draw.
 */
export function randomBelow(count: number, expected = 1): number {
  const wide = count > TWO_TO_32;
  const range = wide ? TWO_TO_53 : TWO_TO_32;
  const fair = range - (range % count);
  for (;;) {
    const high = wide ? (nextWord(expected * 2) >>> 11) * TWO_TO_32 : 0;
    const drawn = high + nextWord(expected);
    if (drawn < fair) return drawn % count;
  }
}
